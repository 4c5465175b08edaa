// expect: dtype_is_not_supported<
// expect: "quantile"
// expect: "float16"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float16<"n=3"> const& x) { return tenon::quantile<"n">(x, 0.5); }
