// Gradients, vector-Jacobian products, gradients of gradients, and a function with a custom
// backward.
// test-long

#include <iostream>
#include <tuple>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/nn.hpp>

using namespace tenon;

using Input = Float32<"batch=3 in=4">;
using Output = Float32<"batch=3 out=3">;
using Weight = Float32<"in=4 out=3">;

/// The mean of 3 (x + 2)^2.
auto const out = [](Float32<"2 2"> const& x) {
  auto const y = eval(x + 2);
  return mean(3 * y * y);
};

void basic_operations() {
  auto const [value, gradient] = value_and_grad(out)(ones<Float32<"2 2">>());
  std::cout << "out: " << value << "\nd(out)/dx:\n" << gradient << "\n";  // 6 (x + 2) / 4
  auto const doubled = [](Float32<"3"> const& x) {
    auto y = eval(x * 2);
    while (norm(stop_gradient(y)).item() < 1000) y = eval(y * 2);  // a number has no gradient
    return y;
  };
  auto const [y, backward] = vjp(doubled, normal<Float32<"3">>(Key{1}));
  std::cout << "y: " << y
            << "\nits vector-Jacobian product: " << backward(Float32<"3">{0.1f, 1, 0.0001f})
            << "\n";
}

/// A loss with a penalty: the norm of the gradient with respect to each input is to be 1.
float train_with_penalty() {
  auto const input = normal<Input>(Key{2});
  auto const target = normal<Output>(Key{3});
  auto const loss = [&](Linear<"in=4", "out=3"> const& model) {
    auto const gradient = grad([&](Input const& x) { return sum(model(x)); })(input);
    auto const penalty = mean(square(norm<"in">(gradient) - 1));
    return mse_loss(eval(model(input)), target) + penalty;
  };
  auto model = init::kaiming_uniform<Linear<"in=4", "out=3">>(Key{4});
  SGD const sgd{.rate = 0.1};
  auto state = sgd.init(model);
  float first = 0, last = 0;
  for (int step = 0; step < 100; ++step) {
    auto const [value, gradients] = value_and_grad(loss)(model);
    std::tie(model, state) = sgd.step(model, gradients, state);
    (step == 0 ? first : last) = value.item();
  }
  std::cout << "loss with penalty: " << first << ", after 100 steps " << last << "\n";
  return last / first;
}

/// A linear map whose backward is written by hand. PyTorch: a class derived from `Function`.
auto const linear = custom_vjp(
    [](Input const& x, Weight const& w) { return eval(matmul(x, w)); },
    [](Output const& dy, Output const&, Input const& x, Weight const& w) {
      return std::tuple(Input(matmul(dy, transpose(w))), Weight(matmul(transpose(x), dy)));
    });

bool check_own_backward() {
  auto const x = normal<Input>(Key{5});
  auto const w = normal<Weight>(Key{6});
  auto const by_hand = grad([&](Weight const& v) { return sum(linear(x, v)); })(w);
  auto const expected = grad([&](Weight const& v) { return sum(matmul(x, v)); })(w);
  return allclose(by_hand, expected);
}

int main() {
  basic_operations();
  return train_with_penalty() < 0.5f && check_own_backward() ? 0 : 1;
}
