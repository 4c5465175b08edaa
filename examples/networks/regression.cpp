// A polynomial of degree 4 is learned from points on it.

#include <cstdio>
#include <string>
#include <tuple>

#include <tenon/nn.hpp>

using namespace tenon;

using Polynomial = Linear<"power=4", "y=1">;

/// x, x^2, x^3, x^4.
Float32<"batch power=4"> make_features(Float32<"batch"> const& x) {
  return pow(unsqueeze<-1>(x), Float32<"power=4">{1, 2, 3, 4});
}

std::string text_of(Polynomial const& p) {
  std::string text = "y = " + std::to_string(p.bias(0));
  for (int i = 0; i < 4; ++i)
    text += " + " + std::to_string(p.weight(i, 0)) + " x^" + std::to_string(i + 1);
  return text;
}

int main() {
  auto target = init::normal<Polynomial>(Key{1}, 5);
  target.bias(0) = 2;
  auto model = init::kaiming_uniform<Polynomial>(Key{2});
  SGD const sgd{.rate = 0.1};
  auto state = sgd.init(model);
  float loss = 1;
  int step = 0;
  for (; loss >= 1e-3f && step < 20000; ++step) {
    auto const x = make_features(normal<Float32<"batch">>(fold_in(Key{3}, step), 32));
    auto const y = eval(target(x));
    auto const [value, gradients] =
        value_and_grad([&](Polynomial const& m) { return smooth_l1_loss(eval(m(x)), y); })(model);
    std::tie(model, state) = sgd.step(model, gradients, state);
    loss = value.item();
  }
  std::printf("loss %.6f after %d steps\nlearned: %s\n actual: %s\n", double(loss), step,
              text_of(model).c_str(), text_of(target).c_str());
  return loss < 1e-3f ? 0 : 1;
}
