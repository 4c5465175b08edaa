// expect: "nansum"
// expect: "m"
#include <tenon/statistics.hpp>

auto total(tenon::Float32<"n=3"> const& x) { return tenon::nansum<"m">(x); }
