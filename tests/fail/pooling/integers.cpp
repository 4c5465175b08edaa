// expect: error::dtype_is_not_supported
// expect: "avg_pool"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"batch t"> const& x) { return avg_pool<"t", 2>(x); }
