// expect: error::wrong_number_of_axes
// expect: "diag"
// expect: "n n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n n"> const& x) { return diag(x); }
