// expect: dtype_is_not_supported<
// expect: "index_put"
// expect: "float32"
#include <tuple>

#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Float32<"k=2"> const& values) {
  return tenon::index_put(x, std::tuple{values}, values);
}
