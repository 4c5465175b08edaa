// expect: error::dtype_is_not_supported
// expect: "sum"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& mask) { return sum(mask); }
