// expect: range_is_outside
// expect: "slice"
// expect: "5..4"
// expect: "batch"
// expect: "batch t=9"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = slice<"batch", 5, 4>(Float32<"batch t=9">());
