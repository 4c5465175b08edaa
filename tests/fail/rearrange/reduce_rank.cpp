// expect: pattern_does_not_fit
// expect: "reduce"
// expect: "more axes than in the pattern"
// expect: "b -> "
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = reduce<"b -> ", op::mean>(Float32<"batch t">());
