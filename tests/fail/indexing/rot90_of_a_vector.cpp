// expect: wrong_number_of_axes<
// expect: "rot90"
// expect: "n=3"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::rot90(x); }
