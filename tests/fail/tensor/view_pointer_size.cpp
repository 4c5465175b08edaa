// expect: error::wrong_number_of_sizes
// expect: "view"
// expect: "n"
// expect: 1, 0
#include <tenon/tenon.hpp>

auto mistaken(float* a) { return tenon::view<"n">(a); }
