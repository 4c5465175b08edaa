// expect: error::temporary_has_no_lasting_elements
// expect: "as_mutable_eigen"
// expect: "name it first"
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

auto mistaken(tenon::Float32<"n">& x) { return tenon::as_mutable_eigen(tenon::mutable_view(x)); }
