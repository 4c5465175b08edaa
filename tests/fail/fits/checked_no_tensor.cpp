// expect: pattern_does_not_fit
// expect: "checked"
// expect: "result is no tensor"
// expect: "n -> n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto f = checked<"n -> n">([](auto const&) { return 1; });
auto y = f(Float32<"t=3">());
