// expect: error::wrong_number_of_axes
// expect: "diagonal"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return diagonal(x); }
