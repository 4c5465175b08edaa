// expect: error::elements_are_constant
// expect: "as_mutable_eigen"
// expect: "use as_eigen"
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"n"> const& x) { return tenon::as_mutable_eigen(x); }
