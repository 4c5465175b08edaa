// expect: error::dtypes_differ
// expect: "complex"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x, Float64<"n"> const& y) { return complex(x, y); }
