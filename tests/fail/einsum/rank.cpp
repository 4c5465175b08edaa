// expect: pattern_does_not_fit
// expect: "einsum"
// expect: "b q d, b k d -> b q k"
// expect: "3 4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = einsum<"b q d, b k d -> b q k">(Float32<"3 4">(), Float32<"3 5 4">());
