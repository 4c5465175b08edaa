// expect: name_is_ambiguous
// expect: "slice"
// expect: "n"
// expect: "n n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = slice<"n">(Float32<"n n">(), 0, 1);
