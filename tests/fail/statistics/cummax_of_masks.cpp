// expect: dtype_is_not_supported<
// expect: "cummax"
// expect: "bool"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Mask<"n=3"> const& x) { return tenon::cummax<"n">(x); }
