// expect: dtypes_differ<
// expect: "index_put"
// expect: "float32"
// expect: "float64"
#include <tuple>

#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x, tenon::Int32<"k=2"> const& ids,
              tenon::Float64<"k=2"> const& values) {
  return tenon::index_put(x, std::tuple{ids}, values);
}
