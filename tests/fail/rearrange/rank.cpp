// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "fewer axes than in the pattern"
// expect: "b t d -> b d t"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rearrange<"b t d -> b d t">(Float32<"batch t">());
