// expect: wrong_number_of_axes<
// expect: "meshgrid"
// expect: "row=2 k=3"
// expect: 1, 2
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Float32<"row=2 k=3"> const& y) {
  return tenon::meshgrid(x, y);
}
