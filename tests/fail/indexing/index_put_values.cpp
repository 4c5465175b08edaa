// expect: shapes_do_not_align<
// expect: "index_put"
// expect: "n=3"
// expect: "k=2"
#include <tuple>

#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Int32<"k=2"> const& ids) {
  return tenon::index_put(x, std::tuple{ids}, x);
}
