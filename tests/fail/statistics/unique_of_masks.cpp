// expect: dtype_is_not_supported<
// expect: "unique"
// expect: "bool"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Mask<"n=3"> const& x) { return tenon::unique(x); }
