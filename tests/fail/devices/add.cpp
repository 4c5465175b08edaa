// expect: error::devices_differ
// expect: "add"
// expect: "cpu"
// expect: "reference"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& a, Float32<"n", Reference> const& b) { return a + b; }
