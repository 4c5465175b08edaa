// expect: range_is_outside<
// expect: "n=0"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=0"> const& x) { return tenon::diff<"n">(x); }
