// expect: errors/concat.cpp:10
// expect: axis_is_not_found
// expect: "concat"
// expect within 3: axis_is_not_found
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

auto f(Float32<"a=2 b"> const& x, Float32<"c=3 b"> const& y) { return concat<"d">(x, y); }
