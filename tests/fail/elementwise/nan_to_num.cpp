// expect: dtype_is_not_supported<
// expect: "nan_to_num"
// expect: "int32"
#include <tenon/elementwise.hpp>

auto mistaken(tenon::Int32<"n=3"> const& x) { return tenon::nan_to_num(x); }
