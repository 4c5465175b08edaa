// expect: error::dtype_is_not_supported
// expect: "svd"
// expect: "bfloat16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(BFloat16<"m n"> const& a) { return linalg::svd(a); }
