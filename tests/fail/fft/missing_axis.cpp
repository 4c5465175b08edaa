// expect: error::axis_is_not_found
// expect: "fft"
// expect: "time"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& x) { return fft::fft<"time">(x); }
