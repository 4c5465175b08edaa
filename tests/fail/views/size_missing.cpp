// expect: axis_is_not_found
// expect: "size"
// expect: "row"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = size<"row">(Float32<"batch t">());
