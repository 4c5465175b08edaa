// expect: pattern_does_not_fit
// expect: "einsum"
// expect: "an arrow is missing"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = einsum<"a d, d b">(Float32<"3 4">(), Float32<"4 5">());
