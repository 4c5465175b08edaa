// expect: shapes_do_not_align<
// expect: "masked_select"
// expect: "row=2 n=3"
// expect: "row=2"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Mask<"row=2"> const& mask) {
  return tenon::masked_select(x, mask);
}
