// expect: error::axes_do_not_fit
// expect: "cross"
// expect: "xyz=4"
// expect: "3"
#include <tenon/linalg.hpp>

using namespace tenon;

auto mistaken(Float64<"n xyz=4"> const& a) { return linalg::cross<"xyz">(a, a); }
