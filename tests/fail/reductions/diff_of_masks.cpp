// expect: error::dtype_is_not_supported
// expect: "diff"
// expect: bool
#include <tenon/statistics.hpp>

auto changes(tenon::Mask<"n=3"> const& x) { return tenon::diff<"n">(x); }
