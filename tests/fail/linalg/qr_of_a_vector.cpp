// expect: error::wrong_number_of_axes
// expect: "qr"
// expect: "n"
// expect: 2, 1
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n"> const& a) { return linalg::qr(a); }
