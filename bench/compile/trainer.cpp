// The classifier of the README and a step of its training.

#include <tuple>

#include <tenon/tenon.hpp>

using namespace tenon;

struct Classifier {
  Float32<"pixel=784 hidden=128"> w1;
  Float32<"hidden=128"> b1;
  Float32<"hidden=128 digit=10"> w2;
  Float32<"digit=10"> b2;

  Float32<"batch digit=10"> operator()(Float<"batch pixel=784"> auto const& image) const {
    return matmul(relu(matmul(image, w1) + b1), w2) + b2;
  }
};

float train(Float32<"batch pixel=784"> const& images, Int32<"batch"> const& labels, int steps) {
  auto model = init::normal<Classifier>(Key{42}, 0.02f);
  auto const adam = AdamW{.rate = 1e-3f};
  auto state = adam.init(model);
  float last = 0;
  for (int step = 0; step < steps; ++step) {
    auto const [loss, gradients] = value_and_grad(
        [&](Classifier const& m) { return cross_entropy<"digit">(m(images), labels); })(model);
    std::tie(model, state) = adam.step(model, gradients, state);
    last = loss.item();
  }
  return last;
}

int main() {
  auto const images = ones<Float32<"batch pixel=784">>(32);
  return train(images, zeros<Int32<"batch">>(32), 10) < 1 ? 0 : 1;
}
