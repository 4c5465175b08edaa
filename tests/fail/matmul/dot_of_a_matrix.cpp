// expect: error::wrong_number_of_axes
// expect: "dot"
// expect: "n m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n m"> const& x, Float32<"m"> const& y) { return dot(x, y); }
