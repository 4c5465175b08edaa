// expect: pattern_does_not_fit
// expect: "pad"
// expect: "one axis is needed"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = pad<"batch t", 1, 1>(Float32<"batch t">());
