// expect: error::shapes_do_not_align
// expect: "view"
// expect: "n"
// expect: "_ 3"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(md::mdspan<float, md::extents<int, std::dynamic_extent, 3>> m) {
  return tenon::view<"n">(m);
}
