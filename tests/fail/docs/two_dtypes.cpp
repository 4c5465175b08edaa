// expect: error::dtypes_differ
// expect: "float32"
// expect: "float64"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x, Float64<"n"> const& y) { return x + y; }
