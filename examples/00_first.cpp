// The first program of the README.

#include <cstdio>
#include <tuple>

#include <tenon/tenon.hpp>
using namespace tenon;

struct Classifier {  // a model is a plain struct; its axes are named in the types of its fields
  Float32<"pixel=784 hidden=128"> w1;
  Float32<"hidden=128"> b1;
  Float32<"hidden=128 digit=10"> w2;
  Float32<"digit=10"> b2;

  Float32<"batch digit=10"> operator()(Float<"batch pixel=784"> auto const& image) const {
    return matmul(relu(matmul(image, w1) + b1), w2) + b2;  // product, bias, activation: one kernel
  }
};

int main() {
  auto const images = normal<Float32<"batch pixel=784">>(Key{1}, 256);  // 256 is known at run time
  auto const labels = eval(argmax<"pixel">(slice<"pixel", 0, 10>(images)));  // the brightest of ten
  auto model = init::normal<Classifier>(Key{2}, 0.05f);
  auto const adam = AdamW{.rate = 1e-3f};
  auto state = adam.init(model);
  for (int step = 0; step <= 60; ++step) {
    auto const [loss, grads] = value_and_grad([&](Classifier const& m) {
      return cross_entropy<"digit">(m(images), labels);
    })(model);  // grads is a Classifier: same fields, same shapes
    std::tie(model, state) = adam.step(model, grads, state);
    if (step % 20 == 0) std::printf("step %2d: loss %.3f\n", step, double(loss.item()));
  }
  auto const right = mean(argmax<"digit">(model(images)) == labels).item();
  std::printf("%.0f %% right\n", 100 * double(right));
  return right > 0.9f ? 0 : 1;
}
