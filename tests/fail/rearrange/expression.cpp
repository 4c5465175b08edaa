// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "more axes than in the pattern"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = Float32<"batch t">();
auto y = rearrange<"b -> b 1">(x + x);
