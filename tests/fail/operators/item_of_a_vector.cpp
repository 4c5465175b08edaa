// expect: error::is_not_a_scalar
// expect: "item"
// expect: "n"
#include <tenon/tenon.hpp>

using namespace tenon;

float mistaken(Float32<"n"> const& x) { return x.item(); }
