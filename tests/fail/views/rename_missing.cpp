// expect: axis_is_not_found
// expect: "rename"
// expect: "key"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rename<"key -> t">(Float32<"batch t">());
