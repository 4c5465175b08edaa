// expect: dtype_is_not_supported<
// expect: "asinh"
// expect: "int32"
#include <tenon/elementwise.hpp>

auto mistaken(tenon::Int32<"n=3"> const& x) { return tenon::asinh(x); }
