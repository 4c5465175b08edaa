// expect: shapes_do_not_align<
// expect: "scatter_add"
// expect: "k=2"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"k=2"> const& ids) {
  return tenon::scatter_add<"row">(x, ids, x);
}
