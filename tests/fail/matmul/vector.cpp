// expect: error::axes_do_not_fit
// expect: "matmul"
// expect: "k=3"
// expect: "k=4"
// expect: "n k=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n k=3"> const& a, Float32<"k=4"> const& b) { return matmul(a, b); }
