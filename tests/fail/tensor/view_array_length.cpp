// expect: error::wrong_number_of_elements
// expect: "view"
// expect: "row=2 column=3"
// expect: 6, 5
#include <array>

#include <tenon/tenon.hpp>

auto mistaken(std::array<float, 5>& a) { return tenon::view<"row=2 column=3">(a); }
