// expect: error::axes_do_not_fit<
// expect: "matmul"
// expect: "pixel=784"
// expect: "hidden=128"
// expect: "batch pixel=784"
// expect: "hidden=128 digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class T>
auto mistaken(Float32<"batch pixel=784"> const& x, Float32<"hidden=128 digit=10"> const& w,
              Float32<"batch digit=10"> const& y) {
  return mse_loss(matmul(x, w), y);
}
auto result = mistaken<int>({}, {}, {});
