// expect: error::axes_do_not_fit
// expect: "matmul"
// expect: "batch=8"
// expect: "batch=9"
// expect: "batch=8 n k"
// expect: "batch=9 k m"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch=8 n k"> const& a, Float32<"batch=9 k m"> const& b) {
  return matmul(a, b);
}
