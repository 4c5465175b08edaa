// expect: axis_is_not_found<
// expect: "index_add"
// expect: "m"
// expect: "row=2 n=3"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"k=2"> const& ids) {
  return tenon::index_add<"m">(x, ids, x);
}
