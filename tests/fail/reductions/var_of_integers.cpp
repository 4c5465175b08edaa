// expect: error::dtype_is_not_supported
// expect: "var"
// expect: int32
#include <tenon/tenon.hpp>

auto spread(tenon::Int32<"n=3"> const& x) { return tenon::var<"n">(x); }
