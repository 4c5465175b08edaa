// expect: error::dtype_is_not_supported
// expect: "mod"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n"> const& x) { return x % 2; }
