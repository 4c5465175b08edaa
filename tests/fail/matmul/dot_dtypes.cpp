// expect: error::dtypes_differ
// expect: "dot"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"i"> const& x, Float64<"i"> const& y) { return dot(x, y); }
