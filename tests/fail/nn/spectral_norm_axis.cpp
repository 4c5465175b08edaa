// expect: axis_is_not_found<
// expect: "spectral_norm"
// expect: "hidden"
// expect: "in=3 out=4"
#include <tenon/nn.hpp>

using namespace tenon;

auto unit(Float32<"in=3 out=4"> const& w,
          SpectralNormState<Float32<"out=4">, Float32<"in=3">> const& state) {
  return spectral_norm<"hidden">(w, state);
}
