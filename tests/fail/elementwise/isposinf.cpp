// expect: dtype_is_not_supported<
// expect: "isposinf"
// expect: "int32"
#include <tenon/elementwise.hpp>

auto mistaken(tenon::Int32<"n=3"> const& x) { return tenon::isposinf(x); }
