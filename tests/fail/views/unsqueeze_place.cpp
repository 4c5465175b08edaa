// expect: error::pattern_does_not_fit
// expect: "unsqueeze"
// expect: no place for a new axis
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return unsqueeze<"c", 3>(x); }
