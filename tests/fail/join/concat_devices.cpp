// expect: devices_differ
// expect: "concat"
// expect: "cpu"
// expect: "reference"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"t">(Float32<"t">(), Float32<"t", Reference>());
