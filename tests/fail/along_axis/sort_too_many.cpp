// expect: error::too_many_positions
// expect: "argsort"
// expect: 2147483647
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n=2147483648"> const& x) { return argsort<"n">(x); }
