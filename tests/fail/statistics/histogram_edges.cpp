// expect: wrong_number_of_axes<
// expect: "histogram"
// expect: "row=2 n=3"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::histogram(x, x); }
