// expect: error::pattern_does_not_fit
// expect: "flatten"
// expect: the axes are not neighbours
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"a b c"> const& x) { return flatten<"a c">(x); }
