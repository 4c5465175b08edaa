// expect: error::dtypes_differ
// expect: "mul"
// expect: "bool"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return (x > 0.0f) * x; }
