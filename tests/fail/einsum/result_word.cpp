// expect: pattern_does_not_fit
// expect: "einsum"
// expect: "a d, d b -> a c"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = einsum<"a d, d b -> a c">(Float32<"3 4">(), Float32<"4 5">());
