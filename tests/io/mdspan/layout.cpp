// expect: error::layout_has_no_strides
// expect: "view"
// expect: Tiled
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

struct Tiled {
  template <class E>
  struct mapping : md::layout_right::mapping<E> {
    using layout_type = Tiled;
    static constexpr bool is_always_strided() { return false; }
  };
};
auto mistaken(md::mdspan<float, md::extents<int, 3>, Tiled> const& m) {
  return tenon::view<"n">(m);
}
