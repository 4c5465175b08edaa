// expect: error::dtype_is_not_supported
// expect: "where"
// expect: "bfloat16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& mask, BFloat16<"n"> const& x) { return where(mask, x, x); }
