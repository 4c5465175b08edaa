// expect: "median"
// expect: int32
#include <tenon/statistics.hpp>

auto middle(tenon::Int32<"n=3"> const& x) { return tenon::median<"n">(x); }
