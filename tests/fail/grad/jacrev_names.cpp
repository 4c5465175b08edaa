// expect: error::wrong_number_of_axes
// expect: "jacrev"
// expect: "row column"
#include <tenon/transformations.hpp>

using namespace tenon;

auto mistaken(Float64<"n=3"> const& x) {
  return jacrev<"row column">([](Float64<"n=3"> const& v) { return sin(v); })(x);
}
