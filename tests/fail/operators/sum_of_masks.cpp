// expect: error::dtype_is_not_supported
// expect: "add"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& a, Mask<"n"> const& b) { return a + b; }
