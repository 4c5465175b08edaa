// expect: error::dtype_is_not_supported
// expect: "triu"
// expect: "float16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float16<"n n"> const& x) { return triu(x); }
