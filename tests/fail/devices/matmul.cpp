// expect: error::devices_differ
// expect: "matmul"
// expect: "reference"
// expect: "cpu"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n k", Reference> const& a, Float32<"k m"> const& b) { return matmul(a, b); }
