// expect: dtype_is_not_supported
// expect: "iota"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = iota<Mask<"n">>(3);
