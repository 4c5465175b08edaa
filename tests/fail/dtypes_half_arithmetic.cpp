// expect: error::dtype_is_not_supported
// expect: "add"
// expect: "bfloat16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(BFloat16<"n"> const& a, BFloat16<"n"> const& b) { return a + b; }
