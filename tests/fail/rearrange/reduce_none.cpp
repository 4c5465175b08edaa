// expect: dtype_is_not_supported
// expect: "none"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = reduce<"b t -> b", op::none>(Float32<"batch t">());
