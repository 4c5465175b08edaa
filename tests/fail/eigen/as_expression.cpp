// expect: error::expression_has_no_elements
// expect: "as_eigen"
// expect: "evaluate it first, with eval"
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"n m"> const& x) { return tenon::as_eigen(x + x); }
