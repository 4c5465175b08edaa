// expect: axis_is_not_found
// expect: "transpose"
// expect: "row"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = transpose<"batch row">(Float32<"batch t">());
