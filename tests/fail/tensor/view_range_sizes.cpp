// expect: error::wrong_number_of_sizes
// expect: "view"
// expect: "row column"
// expect: 2, 0
#include <vector>

#include <tenon/tenon.hpp>

auto mistaken(std::vector<float>& a) { return tenon::view<"row column">(a); }
