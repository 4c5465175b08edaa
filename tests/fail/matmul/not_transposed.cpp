// expect: error::axes_do_not_fit
// expect: "matmul"
// expect: "in"
// expect: "out"
// expect: "batch in"
// expect: "out in"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch in"> const& x, Float32<"out in"> const& w) { return matmul(x, w); }
