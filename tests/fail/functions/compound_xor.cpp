// expect: error::dtypes_differ
// expect: "bitwise_xor"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Int32<"n"> x, Mask<"n"> const& y) { x ^= y; }
