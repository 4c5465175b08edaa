// expect: error::dtype_is_not_supported
// expect: "matmul"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n k"> const& a, Mask<"k m"> const& b) { return matmul(a, b); }
