// expect: pattern_does_not_fit
// expect: "rename"
// expect: "an arrow is missing"
// expect: "t"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rename<"t">(Float32<"batch t">());
