// expect: error::function_does_not_take<
// expect: "vjp"
// expect: "n=3"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto const f = [](Float32<"n=3 m=3"> const& v) { return sum(v); };
auto mistaken(Float32<"n=3"> const& x) { return vjp(f, x); }
