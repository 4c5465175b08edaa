// expect: axis_is_not_found
// expect: "concat"
// expect: "time"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"time">(Float32<"batch t">(), Float32<"batch t">());
