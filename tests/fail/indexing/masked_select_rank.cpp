// expect: wrong_number_of_axes<
// expect: "masked_select"
// expect: "row=2 n=3"
// expect: 1, 2
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Mask<"row=2 n=3"> const& mask) {
  return tenon::masked_select<"row">(x, mask);
}
