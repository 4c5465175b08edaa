// expect: error::too_many_positions
// expect: "argmax"
// expect: 2147483647
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"row=3 n=2147483648"> const& x) { return argmax<"n">(x); }
