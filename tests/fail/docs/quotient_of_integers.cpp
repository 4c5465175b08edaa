// expect: error::integers_need_floor_divide_or_to_float
// expect: "div"
// expect: "int32"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& counts) { return counts / 2; }
