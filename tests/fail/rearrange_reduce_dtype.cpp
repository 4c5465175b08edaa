// expect: dtype_is_not_supported
// expect: "sum"
// expect: "bfloat16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = reduce<"b t -> b", op::sum>(BFloat16<"batch t">());
