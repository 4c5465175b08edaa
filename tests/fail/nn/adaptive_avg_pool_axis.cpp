// expect: error::axis_is_not_found<
// expect: "adaptive_avg_pool"
// expect: "row"
// expect: "batch channel height width"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch channel height width"> const& x) {
  return adaptive_avg_pool<"row=2 column=2">(x);
}
