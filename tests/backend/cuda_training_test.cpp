// Training steps on a CUDA device: a real one, or the fake of `shim/`.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "shim/cuda_device.hpp"

namespace cuda_training_test {

using namespace tenon;

namespace {

struct Perceptron {
  Linear<"in=4", "hidden=16", float, Cuda> first;
  Linear<"hidden=16", "class=3", float, Cuda> last;

  auto operator()(Float<"batch in=4"> auto const& a) const -> Float32<"batch class=3", Cuda> {
    return last(gelu_tanh(first(a)));
  }
};

}  // namespace

TEST_CASE("a model is trained on a CUDA device") {
  if (shim::cuda_device() == shim::Device::none) return;
  auto const inputs = to<Cuda>(normal<Float32<"batch in=4">>(Key(1), 64));
  auto const labels = to<Cuda>(uniform<Int32<"batch">>(Key(2), 0, 3, 64));
  auto model = tenon::init::normal<Perceptron>(Key(3), 0.3f);
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(model);
  float before = 0;
  for (int step = 0; step < 5; ++step) {
    auto const [loss, gradient] = value_and_grad(
        [&](Perceptron const& m) { return cross_entropy<"class">(m(inputs), labels); })(model);
    std::tie(model, state) = adam.step(model, gradient, state);
    CHECK((step == 0 || loss.item() < before));
    before = loss.item();
  }
}

}  // namespace cuda_training_test
