// expect: error::temporary_has_no_lasting_elements
// expect: "view"
#include <array>

#include <tenon/tenon.hpp>

auto const mistaken = tenon::view<"n">(std::array<float, 3>());
