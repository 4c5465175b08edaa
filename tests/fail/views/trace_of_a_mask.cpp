// expect: error::dtype_is_not_supported
// expect: "trace"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n n"> const& x) { return trace(x); }
