// expect: error::temporary_has_no_lasting_elements
// expect: "view"
// expect: "name it first"
#include <vector>

#include <tenon/tenon.hpp>

auto const mistaken = tenon::view<"row column">(std::vector<float>(6), 2, 3);
