// expect: dtype_is_not_supported<
// expect: "exp2"
// expect: "int32"
#include <tenon/elementwise.hpp>

auto mistaken(tenon::Int32<"n=3"> const& x) { return tenon::exp2(x); }
