// expect: error::axes_do_not_fit
// expect: "istft"
// expect: "frequency=9"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Complex64<"frequency=9 time"> const& x, Float32<"w=8"> const& window) {
  return fft::istft<"time", 4>(x, window);
}
