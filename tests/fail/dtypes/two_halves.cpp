// expect: error::dtypes_differ
// expect: "add"
// expect: "bfloat16"
// expect: "float16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(BFloat16<"n"> const& a, Float16<"n"> const& b) { return a + b; }
