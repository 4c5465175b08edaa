// expect: error::axes_do_not_fit
// expect: "n=1..2"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(md::mdspan<float, md::extents<int, 3>> m) { return tenon::view<"n=1..2">(m); }
