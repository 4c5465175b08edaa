// expect: axes_do_not_fit
// expect: "einsum"
// expect: "4"
// expect: "5"
// expect: "3 4"
// expect: "3 5"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = einsum<"b d, b d -> b">(Float32<"3 4">(), Float32<"3 5">());
