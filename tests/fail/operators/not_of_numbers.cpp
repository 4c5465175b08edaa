// expect: error::dtype_is_not_supported
// expect: "not"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return !x; }
