// expect: error::wrong_number_of_axes
// expect: "kron"
// expect: "n=3"
#include <tenon/linalg.hpp>

using namespace tenon;

auto mistaken(Float64<"n=3"> const& v, Float64<"n m"> const& a) { return linalg::kron(a, v); }
