// expect: dtype_is_not_supported<
// expect: "histogram"
// expect: "bool"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Mask<"n=3"> const& x) {
  return tenon::histogram<tenon::Int64<"bin=4">>(x, 0, 1);
}
