// expect: error::axis_is_not_found
// expect: "flatten"
// expect: "d"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"a b c"> const& x) { return flatten<"a d -> p">(x); }
