// expect: error::dtype_is_not_supported
// expect: "bitwise_and"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x, Float32<"n"> const& y) { return x & y; }
