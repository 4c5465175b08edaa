// expect: error::shapes_do_not_align
// expect: "matmul"
// expect: "n m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<""> const& a, Float32<"n m"> const& b) { return matmul(a, b); }
