// expect: error::dtype_is_not_supported
// expect: "mod_relu"
// expect: "float32"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return mod_relu(x, -0.5f); }
