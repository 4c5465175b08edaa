// expect: error::dtype_is_not_supported
// expect: "sum"
// expect: "float16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float16<"n"> const& x) { return sum(x); }
