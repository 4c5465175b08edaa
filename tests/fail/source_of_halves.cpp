// expect: error::dtype_is_not_supported
// expect: "kernel_source"
// expect: "bfloat16"
#include <tenon/tenon.hpp>

#include <tenon/backend/source/c.hpp>

using namespace tenon;

auto mistaken(BFloat16<"n"> const& x) { return kernel_source(to<float>(x)); }
