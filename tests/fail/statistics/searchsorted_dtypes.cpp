// expect: dtypes_differ<
// expect: "searchsorted"
// expect: "float32"
// expect: "float64"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Float64<"k=2"> const& y) {
  return tenon::searchsorted(x, y);
}
