// expect: axis_is_not_found
// expect: "slice"
// expect: "2"
// expect: "batch t=9"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = slice<2, 0, 1>(Float32<"batch t=9">());
