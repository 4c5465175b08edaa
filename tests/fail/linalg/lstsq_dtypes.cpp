// expect: dtypes_differ<
// expect: "lstsq"
// expect: "float64"
// expect: "float32"
#include <tenon/linalg.hpp>

using namespace tenon;

auto mistaken(Float64<"m=5 n=2"> const& a, Float32<"m=5"> const& b) { return linalg::lstsq(a, b); }
