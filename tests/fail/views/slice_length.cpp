// expect: range_is_outside
// expect: "slice"
// expect: "0..10"
// expect: "t=9"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = slice<"t", 10>(Float32<"batch t=9">(), 0);
