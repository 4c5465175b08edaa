// expect: error::malformed_spec
// expect: "row=-1"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(md::mdspan<float, md::extents<int, 3>> m) { return tenon::view<"row=-1">(m); }
