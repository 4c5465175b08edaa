// expect: error::pattern_does_not_fit<
// expect: "checked"
// expect: "argument 2 is no tensor"
// expect lines: 9
#include <tenon/tenon.hpp>

using namespace tenon;

auto const f = checked<"n, n -> n">([](auto const& a, auto const&) { return a; });
auto mistaken(Float32<"n=3"> const& x) { return f(x, 3); }
