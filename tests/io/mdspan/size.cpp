// expect: error::axes_do_not_fit
// expect: "view"
// expect: "row=4"
// expect: "row=4 column"
// expect: "3 _"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(md::mdspan<float, md::extents<int, 3, std::dynamic_extent>> m) {
  return tenon::view<"row=4 column">(m);
}
