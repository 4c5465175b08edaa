// expect: axis_is_not_found<
// expect: "scatter_add"
// expect: "m"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"row=2 n=3"> const& ids) {
  return tenon::scatter_add<"m">(x, ids, x);
}
