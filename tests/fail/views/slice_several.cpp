// expect: pattern_does_not_fit
// expect: "slice"
// expect: "one axis is needed"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = slice<"batch t", 0, 1>(Float32<"batch t=9">());
