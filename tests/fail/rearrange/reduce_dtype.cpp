// expect: dtype_is_not_supported
// expect: "sum"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = reduce<"b t -> b", op::sum>(Mask<"batch t">());
