// expect: error::dtype_is_not_supported
// expect: "pow"
// expect: "int64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int64<"n"> const& x) { return pow(x, 2); }
