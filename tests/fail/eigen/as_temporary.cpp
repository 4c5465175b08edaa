// expect: error::temporary_has_no_lasting_elements
// expect: "as_eigen"
// expect: "name it first"
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"n m"> const& x) { return tenon::as_eigen(tenon::eval(x + x)); }
