// expect: axis_is_not_found<
// expect: "quantile"
// expect: "m"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::quantile<"m">(x, 0.5); }
