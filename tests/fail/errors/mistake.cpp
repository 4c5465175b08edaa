// expect: axes_do_not_fit
// expect: "matmul"
// expect: "pixel=784"
// expect: "hidden=128"
// expect: "batch pixel=784"
// expect: "hidden=128 digit=10"
// shown in: README.md
#include <tenon/tenon.hpp>

void multiply(tenon::Float32<"batch pixel=784"> const& images,
              tenon::Float32<"hidden=128 digit=10"> const& w2) {
  matmul(images, w2);
}
