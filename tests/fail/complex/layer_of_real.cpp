// expect: error::dtypes_differ
// expect: "matmul"
// expect: "float32"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(ComplexLinear<"in=2", "out=3"> const& layer, Float32<"in=2"> const& x) {
  return layer(x);
}
