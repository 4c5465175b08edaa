// expect: dtypes_differ
// expect: "einsum"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = einsum<"a d, d b -> a b">(Float32<"3 4">(), Float64<"4 5">());
