// expect: axis_is_not_found<
// expect: "count_nonzero"
// expect: "m"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::count_nonzero<"m">(x); }
