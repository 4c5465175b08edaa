// expect: error::axes_do_not_fit
// expect: "sub"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"i d=2"> const& a, Float32<"j d=2"> const& b) { return a - b; }
