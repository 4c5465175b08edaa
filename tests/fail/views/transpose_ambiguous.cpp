// expect: name_is_ambiguous
// expect: "transpose"
// expect: "n"
// expect: "n n t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = transpose<"n t">(Float32<"n n t">());
