// expect: axis_is_not_found
// expect: "set"
// expect: "time"
// expect: "batch t"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = set<"time">(Float32<"batch t">(), 0, 1.0f);
