// expect: error::pattern_does_not_fit<
// expect: "fold"
// expect: "batch channel=18 8"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch channel=18 8"> const& x) {
  return fold<"channel", "height=4 width=5", "2 3">(x);
}
