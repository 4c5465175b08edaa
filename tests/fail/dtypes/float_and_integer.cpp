// expect: error::dtypes_differ
// expect: "mul"
// expect: "float32"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& a, Int32<"n"> const& b) { return a * b; }
