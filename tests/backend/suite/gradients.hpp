#pragma once

// Gradients, second derivatives, training steps.

#include <tenon/autodiff/higher_order.hpp>

#include "../numbers.hpp"
#include "values.hpp"

namespace suite {

/// The gradient of a scalar function of a tensor.
template <class F, class X>
void add_gradient(Values& values, std::string claim, F const& f, X const& x) {
  values.add(std::move(claim), 1e-3, grad(f)(eval(x)));
}

template <class D>
void add_first(Values& values) {
  auto const x = to<D>(numbers<Tensor<float, "n k">>(1, 7, 70) * 0.5f);
  auto const y = to<D>(numbers<Tensor<float, "n k">>(2, 7, 70));
  auto const bias = to<D>(numbers<Tensor<float, "k">>(3, 70));
  auto const w = to<D>(numbers<Tensor<float, "k m=3">>(4, 70));
  auto const ids = to<D>(iota<Tensor<std::int32_t, "t">>(9) % 7);
  auto const of = [&](char const* claim, auto const& f, auto const& at) {
    add_gradient(values, claim, f, at);
  };
  of(
      "of maps", [&](auto const& a) { return sum(tanh(a + bias) * a); }, x);
  of(
      "of a bias", [&](auto const& a) { return sum(relu(x * y + a)); }, bias);
  of(
      "of a softmax", [&](auto const& a) { return sum(softmax<"k">(a) * y); }, x);
  of(
      "of a norm", [](auto const& a) { return sum(square(a * rsqrt(var<"k">(a) + 1.0f))); }, x);
  of(
      "of a maximum", [](auto const& a) { return sum(max<"k">(a)); }, x);
  of(
      "of a matmul", [&](auto const& a) { return mean(square(matmul(x, a) + 1.0f)); }, w);
  of(
      "of the other factor", [&](auto const& a) { return mean(square(matmul(a, w))); }, x);
  of(
      "of parts", [&](auto const& a) { return sum(exp(concat<0>(a, a * y))); }, x);
  of(
      "of gathered rows", [&](auto const& a) { return sum(exp(take<"n">(a, ids))); }, x);
}

/// The same kernel with other constants, and with one leaf as both operands.
template <class D>
void add_known(Values& values) {
  auto const x = to<D>(numbers<Tensor<float, "n k">>(1, 7, 70));
  for (float const factor : {0.5f, 3.0f})
    add_gradient(
        values, "of a formula with a number", [&](auto const& a) { return sum(exp(a * factor)); },
        x);
  auto const both = grad([](auto const& all) { return sum(all[0] * all[1]); })(std::array{x, x});
  values.add("of one leaf as two operands", 1e-6, both[0] + both[1]);
}

/// Several leaves, and materialized intermediate values.
template <class D>
void add_joint(Values& values) {
  auto const first = to<D>(numbers<Tensor<float, "n k">>(1, 3, 40));
  auto const second = to<D>(numbers<Tensor<float, "k">>(3, 40));
  auto const third = to<D>(numbers<Tensor<float, "k m=3">>(4, 40));
  auto const y = to<D>(numbers<Tensor<float, "n k">>(2, 3, 40));
  auto const ids = iota<Tensor<std::int32_t, "n", D>>(3);
  using Leaves =
      std::tuple<Tensor<float, "n k", D>, Tensor<float, "k", D>, Tensor<float, "k m=3", D>>;
  auto const loss = [&](Leaves const& leaves) {
    auto const& [x, bias, w] = leaves;
    auto const rows = eval(softmax<"k">(x * y + bias) + slice<"k", 0, 40>(x));
    auto const joined = concat<0>(rows, eval(rows * 2.0f));
    return mean(square(matmul(joined, w) + 1.0f)) + mean(max<"k">(take<"n">(x, ids)));
  };
  auto const [value, gradient] = value_and_grad(loss)(Leaves(first, second, third));
  values.add("a loss of several leaves", 1e-5, value);
  values.add("its gradient, of the first", 1e-3, std::get<0>(gradient));
  values.add("of the second", 1e-3, std::get<1>(gradient));
  values.add("of the third", 1e-3, std::get<2>(gradient));
}

template <class D>
void add_of_whole_ops(Values& values) {
  auto const x = to<D>(numbers<Tensor<float, "n k=5">>(1, 6) * 0.3f);
  Tensor<double, "r=3 c=3", D> const a{{4, 1, 0.5}, {1, 3, -0.2}, {0.5, -0.2, 2}};
  auto const of = [&](char const* claim, auto const& f, auto const& at) {
    add_gradient(values, claim, f, at);
  };
  of(
      "of a cumsum", [](auto const& b) { return sum(square(cumsum<"n">(b))); }, x);
  of(
      "of a cumprod", [](auto const& b) { return sum(square(cumprod<"k">(b))); }, x);
  of(
      "of a sort", [&](auto const& b) { return sum(sort<"n">(b) * x); }, x);
  of(
      "of replaced slices", [](auto const& b) { return sum(square(set<"n">(b, 2, 7.0f))); }, x);
  of(
      "of an inverse", [](auto const& b) { return sum(tenon::linalg::inverse(b)); }, a);
  of(
      "of a value moved to the host and back",
      [](auto const& b) { return sum(square(to<D>(to<Cpu>(b) * 3.0f))); }, x);
}

template <class D>
void add_second(Values& values) {
  auto const x = to<D>(numbers<Tensor<float, "n k=5">>(1, 6) * 0.3f);
  auto const loss = [](auto const& a) { return sum(tanh(matmul(a, transpose<"k n">(a)))); };
  auto const derivative = [&](auto const& a) { return sum(square(grad(loss)(a))); };
  auto const squares =
      custom_vjp([](auto const& a) { return eval(a * a); },
                 [](auto const& d, auto const&, auto const& a) { return eval(2.0f * d * a); });
  auto const again = checkpoint([](auto const& a) { return softmax<"k">(a) * a; });
  values.add("a gradient of a gradient", 1e-3, grad(derivative)(x));
  values.add("jvp", 1e-3, jvp([](auto const& a) { return exp(a) * a; }, x, x).second);
  values.add("hvp", 1e-3, hvp(loss, x, x));
  add_gradient(
      values, "custom_vjp", [&](auto const& a) { return sum(squares(a) * a); }, x);
  add_gradient(
      values, "checkpoint", [&](auto const& a) { return sum(square(again(a))); }, x);
  values.add("hvp of custom_vjp", 1e-3, hvp([&](auto const& a) { return sum(squares(a)); }, x, x));
}

template <class D>
void add_of_halves(Values& values) {
  auto const x = to<bfloat16>(to<D>(numbers<Tensor<float, "n m=40">>(1, 12)));
  auto const f = [](auto const& a) {
    return to<float>(mean(square(softmax<"m">(a) - matmul(a, matmul(transpose<"m n">(a), a)))));
  };
  add_gradient(values, "of bfloat16", f, x);
}

template <class D>
Values gradients() {
  Values values;
  add_first<D>(values);
  add_known<D>(values);
  add_joint<D>(values);
  add_of_whole_ops<D>(values);
  add_of_halves<D>(values);
  return values;
}

template <class D>
Values second_derivatives() {
  Values values;
  add_second<D>(values);
  return values;
}

template <class D>
struct Perceptron {
  Linear<"in=4", "hidden=16", D> first;
  Linear<"hidden=16", "class=3", D> last;

  auto operator()(Float<"batch in=4"> auto const& x) const -> Float32<"batch class=3", D> {
    return last(gelu_tanh(first(x)));
  }
};

/// The losses of some steps of AdamW with a learning rate that changes at every step.
template <class D>
Values training() {
  auto const x = to<D>(normal<Float32<"batch in=4">>(Key(1), 64));
  auto const labels = to<D>(uniform<Int32<"batch">>(Key(2), 0, 3, 64));
  auto model = to<D>(tenon::init::normal<Perceptron<Cpu>>(Key(3), 0.3f));
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(model);
  Values values;
  for (int step = 0; step < 6; ++step) {
    auto const [loss, gradient] = value_and_grad(
        [&](Perceptron<D> const& m) { return cross_entropy<"class">(m(x), labels); })(model);
    std::tie(model, state) = adam.step(model, gradient, state);
    values.add("the loss of a step", 1e-4, loss);
  }
  return values;
}

Values const& expected_gradients();
Values const& expected_second_derivatives();
Values const& expected_training();

}  // namespace suite
