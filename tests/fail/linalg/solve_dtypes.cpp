// expect: error::dtypes_differ
// expect: "solve"
// expect: "float64"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n n"> const& a, Float32<"n"> const& b) { return linalg::solve(a, b); }
