// expect: error::dtypes_differ
// expect: "stft"
// expect: "float64"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"time"> const& x, Float64<"w=8"> const& window) {
  return fft::stft<"time", 4>(x, window);
}
