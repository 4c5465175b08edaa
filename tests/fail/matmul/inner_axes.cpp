// expect: error::axes_do_not_fit
// expect: "matmul"
// expect: "pixel=784"
// expect: "hidden=128"
// expect: "batch pixel=784"
// expect: "hidden=128 digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch pixel=784"> const& images, Float32<"hidden=128 digit=10"> const& w2) {
  return matmul(images, w2);
}
