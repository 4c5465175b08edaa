// expect: error::axis_is_a_template_argument
// expect: "fft"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"time"> const& x) { return fft::fft(x, 0); }
