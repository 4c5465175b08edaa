// expect: error::dtype_is_not_supported
// expect: "and"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x, Int32<"n"> const& y) { return logical_and(x, y); }
