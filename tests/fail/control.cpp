// expect-success
// Were this file refused, every other file of this folder would be refused for the wrong reason.
#include <tenon/tenon.hpp>

using namespace tenon;

auto control(Float32<"batch pixel=784"> const& a, Float32<"pixel=784 digit=10"> const& b) {
  return matmul(a, b) + exp(matmul(a, b));
}
