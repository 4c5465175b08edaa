// expect: axis_is_not_found
// expect: "slice"
// expect: "row"
// expect: "batch t=9"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = slice<"row", 1, 9>(Float32<"batch t=9">());
