// expect: error::dtype_is_not_supported
// expect: "where"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return where(x, x, 0.0f); }
