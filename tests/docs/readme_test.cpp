// sanitize: thread
// What README.md shows.

#include <doctest/doctest.h>

#include <cmath>

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

TEST_CASE("the classifier of the README learns") {
  auto const images = uniform<Float32<"batch pixel=784">>(Key{1}, 32);
  Int32<"batch"> const labels = to<std::int32_t>(10 * uniform<Float32<"batch">>(Key{2}, 32));
  auto model = init::normal<Classifier>(Key{3}, 0.02f);
  float first = 0, last = 0;
  for (int step = 0; step < 20; ++step) {
    auto [loss, grads] = value_and_grad([&](Classifier const& m) {
      return cross_entropy<"digit">(m(images), labels);
    })(model);  // grads is a Classifier: same fields, same shapes
    model = SGD{.rate = 0.1f}.step(model, grads, SGD{.rate = 0.1f}.init(model)).first;
    (step == 0 ? first : last) = loss.item();
  }
  CHECK(first == doctest::Approx(std::log(10.0)).epsilon(0.2));
  CHECK(last < 0.9f * first);
}
