// expect: error::dtype_is_not_supported
// expect: "shift_right"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& x, Mask<"n"> const& y) { return x >> y; }
