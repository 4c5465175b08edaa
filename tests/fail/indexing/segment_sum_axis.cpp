// expect: axis_is_not_found<
// expect: "segment_sum"
// expect: "m"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"row=2"> const& ids) {
  return tenon::segment_sum<"m", 5>(x, ids);
}
