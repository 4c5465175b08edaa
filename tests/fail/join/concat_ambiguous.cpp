// expect: name_is_ambiguous
// expect: "concat"
// expect: "n"
// expect: "n n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"n">(Float32<"n n">(), Float32<"n n">());
