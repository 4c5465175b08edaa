// expect: error::axis_is_a_template_argument<
// expect: "cross_entropy<\"digit\">(x, ids)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x, Int32<"batch"> const& labels) {
  return cross_entropy(x, labels);
}
