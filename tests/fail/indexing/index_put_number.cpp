// expect: wrong_number_of_axes<
// expect: "index_put"
// expect: "row=2 n=3"
// expect: 1, 2
#include <tuple>

#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"k=2"> const& ids,
              tenon::Float32<"k=2"> const& values) {
  return tenon::index_put(x, std::tuple{ids}, values);
}
