// expect: name_is_ambiguous
// expect: "rename"
// expect: "n"
// expect: "n n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rename<"n -> m">(Float32<"n n">());
