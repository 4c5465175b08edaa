// expect: error::dtype_is_not_supported
// expect: "and"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& a, Int32<"n"> const& b) { return a && b; }
