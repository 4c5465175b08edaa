// expect: pattern_does_not_fit
// expect: "checked"
// expect: "max(n,4): expected 4, got 3"
// expect: "n -> max(n,4)"
#include <tenon/tenon.hpp>

using namespace tenon;

auto const same = checked<"n -> max(n,4)">([](auto const& x) { return 2 * x; });
void f(Float32<"3"> const& x) { same(x); }
