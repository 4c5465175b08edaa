// expect: pattern_does_not_fit
// expect: "transpose"
// expect: "two axes are needed"
// expect: "t"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = transpose<"t">(Float32<"batch t">());
