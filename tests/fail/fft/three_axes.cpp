// expect: error::pattern_does_not_fit
// expect: "fft2"
// expect: "two axes are needed"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"a b c"> const& x) { return fft::fft2<"a b c">(x); }
