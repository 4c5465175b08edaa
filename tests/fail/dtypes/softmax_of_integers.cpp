// expect: error::dtype_is_not_supported
// expect: "softmax"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"batch digit=10"> const& x) { return softmax<"digit">(x); }
