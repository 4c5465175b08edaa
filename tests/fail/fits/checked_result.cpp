// expect: pattern_does_not_fit
// expect: "checked"
// expect: "result: expected 2 axes, got 1 axis"
// expect: "n -> m n"
// expect: "t=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto f = checked<"n -> m n">([](auto const& x) { return x; });
auto y = f(Float32<"t=3">());
