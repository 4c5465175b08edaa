// expect-success
// If this file did not compile, the errors of all other files would be meaningless.
#include <tenon/tenon.hpp>

using namespace tenon;

auto control(Float32<"batch pixel=784"> const& a, Float32<"pixel=784 digit=10"> const& b) {
  return matmul(a, b) + exp(matmul(a, b));
}
