// expect: axis_is_not_found
// expect: "pad"
// expect: "time"
// expect: "batch t"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = pad<"time", 1, 1>(Float32<"batch t">());
