// expect: error::wrong_number_of_axes
// expect: "view"
// expect: 2, 9
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(md::mdspan<float, md::extents<int, 1, 1, 1, 1, 1, 1, 1, 1, 1>> m) {
  return tenon::view<"row column">(m);
}
