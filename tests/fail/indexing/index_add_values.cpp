// expect: axes_do_not_fit<
// expect: "index_add"
// expect: "k=4"
// expect: "row=2"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"k=4"> const& ids) {
  return tenon::index_add<"row">(x, ids, x);
}
