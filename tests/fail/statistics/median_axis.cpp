// expect: axis_is_not_found<
// expect: "median"
// expect: "m"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::median<"m">(x); }
