// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "h=7 does not make up its axis"
// expect: "embed=512"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rearrange<"(h=7 d) -> h d">(Float32<"embed=512">());
