// expect: error::accessor_has_no_elements
// expect: "view"
// expect: Doubled
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

struct Doubled {
  using element_type = float;
  using reference = float;
  using data_handle_type = float*;
  using offset_policy = Doubled;
  reference access(float* p, std::size_t i) const { return 2 * p[i]; }
  float* offset(float* p, std::size_t i) const { return p + i; }
};
using M = md::mdspan<float, md::extents<int, 3>, md::layout_right, Doubled>;
auto mistaken(M m) { return tenon::view<"n">(m); }
