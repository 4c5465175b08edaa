// expect: error::dtypes_differ
// expect: "matmul"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n k"> const& a, Float64<"k m"> const& b) { return matmul(a, b); }
