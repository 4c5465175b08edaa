// expect: error::dtype_is_not_supported
// expect: "exp"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"batch"> const& labels) { return exp(labels); }
