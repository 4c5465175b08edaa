// expect: axis_is_not_found<
// expect: "masked_select"
// expect: "m"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Mask<"row=2"> const& mask) {
  return tenon::masked_select<"m">(x, mask);
}
