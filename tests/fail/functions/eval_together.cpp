// expect: error::axes_do_not_fit
// expect: "eval"
// expect: "n=3"
// expect: "n=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n=3"> const& x, Float32<"n=4"> const& y) { return eval(x + 1, y + 1); }
