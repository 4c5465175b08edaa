// expect: error::eigen_has_two_axes
// expect: "as_eigen"
// expect: "reshape it first"
// expect: "image row column"
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"image row column"> const& x) { return tenon::as_eigen(x); }
