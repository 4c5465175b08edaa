// expect: error::wrong_number_of_indices
// expect: "batch digit=10"
// expect: 2, 1
#include <tenon/tenon.hpp>

using namespace tenon;

float mistaken(Float32<"batch digit=10"> const& x) { return x(3); }
