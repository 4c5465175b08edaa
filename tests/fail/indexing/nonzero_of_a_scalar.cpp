// expect: wrong_number_of_axes<
// expect: "nonzero"
// expect: 1, 0
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<""> const& x) { return tenon::nonzero(x); }
