// expect: axis_is_not_found<
// expect: "cov"
// expect: "m"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::cov<"m">(x); }
