// expect: error::scalar_is_no_dtype
// expect: "view"
// expect: long double
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(md::mdspan<long double, md::extents<int, 3>> m) { return tenon::view<"n">(m); }
