// expect: error::wrong_number_of_axes
// expect: "outer"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"i"> const& x, Float32<""> const& y) { return outer(x, y); }
