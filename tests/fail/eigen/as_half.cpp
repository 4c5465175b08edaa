// expect: error::dtype_is_not_supported
// expect: "as_eigen"
// expect: "bfloat16"
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

auto mistaken(tenon::BFloat16<"n"> const& x) { return tenon::as_eigen(x); }
