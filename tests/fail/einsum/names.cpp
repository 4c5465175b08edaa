// expect: axes_do_not_fit
// expect: "einsum"
// expect: "t=3"
// expect: "head=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = einsum<"a d, a e -> d e">(Float32<"t=3 4">(), Float32<"head=3 5">());
