// expect: axes_do_not_fit<
// expect: "Bilinear"
// expect: "right=6"
// expect: "right=5"
#include <tenon/nn.hpp>

using namespace tenon;

auto map(Bilinear<"left=4", "right=5", "out=3"> const& layer, Float32<"batch left=4"> const& x,
         Float32<"batch right=6"> const& z) {
  return layer(x, z);
}
