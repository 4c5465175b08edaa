// expect: dtypes_differ
// expect: "concat"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"t">(Float32<"t">(), Float64<"t">());
