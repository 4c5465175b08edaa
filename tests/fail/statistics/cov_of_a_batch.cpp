// expect: wrong_number_of_axes<
// expect: "cov"
// expect: "batch=4 row=2 n=3"
// expect: 2, 3
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"batch=4 row=2 n=3"> const& x) { return tenon::cov<"row">(x); }
