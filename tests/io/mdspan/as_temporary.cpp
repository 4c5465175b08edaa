// expect: error::temporary_has_no_lasting_elements
// expect: "as_mdspan"
// expect: "name it first"
#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace md = tenon::internal::mdspan_library;

auto mistaken(tenon::Float32<"n"> const& x) { return tenon::as_mdspan(tenon::eval(x + x)); }
