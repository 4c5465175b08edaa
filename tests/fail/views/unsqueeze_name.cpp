// expect: error::pattern_does_not_fit
// expect: "unsqueeze"
// expect: the new axis is one name
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return unsqueeze<"a b">(x); }
