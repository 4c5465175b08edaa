// expect: error::axes_do_not_fit
// expect: "matmul"
// expect: "3"
// expect: "4"
// expect: "2 3"
// expect: "4 2"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& a, Float32<"4 2"> const& b) { return matmul(a, b); }
