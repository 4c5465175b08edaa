// expect: error::wrong_number_of_axes
// expect: "trace"
// expect: "n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return trace(x); }
