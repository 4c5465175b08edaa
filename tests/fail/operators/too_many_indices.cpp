// expect: error::wrong_number_of_indices
// expect: "n"
// expect: 1, 2
#include <tenon/tenon.hpp>

using namespace tenon;

float mistaken(Float32<"n"> const& x) { return (x + 1.0f)(0, 0); }
