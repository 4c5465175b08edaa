// expect: error::integers_need_floor_divide_or_to_float
// expect: "div"
// expect: "uint8"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(UInt8<"n">& a, UInt8<"n"> const& b) { a /= b + b; }
