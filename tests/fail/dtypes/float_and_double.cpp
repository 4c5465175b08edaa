// expect: error::dtypes_differ
// expect: "add"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& a, Float64<"n"> const& b) { return a + b; }
