// expect: dtype_is_not_supported<
// expect: "hardswish"
// expect: "int32"
#include <tenon/nn.hpp>

auto activated(tenon::Int32<"n"> const& x) { return tenon::hardswish(x); }
