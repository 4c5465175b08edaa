// expect: error::function_does_not_take<
// expect: "hvp"
// expect: "n=3"
// expect lines: 12
#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto const f = [](Float32<"n=3 m=3"> const& v) { return sum(v); };
auto mistaken(Float32<"n=3"> const& x) { return hvp(f, x, x); }
