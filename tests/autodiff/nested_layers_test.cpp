#include "nested.hpp"

namespace nested_layers_test {

using namespace nested;

namespace {

Matrix const point{{0.4, 1.3, 0.8, -0.2}, {-0.6, 0.9, 1.7, 0.5}, {1.1, -0.7, 0.3, 0.6}};
Int32<"n"> const labels{3, 0, 2};

using Queries = Float64<"batch query head=2 feature=2">;
using Keys = Float64<"batch key head=2 feature=2">;

/// A matrix as three positions of two attention heads.
template <class R>
R positions(Matrix const& x) {
  return reshaped<R>(x, {1, 3, 2, 2, 1, 1, 1, 1});
}

}  // namespace

TEST_CASE("second derivatives of matmuls") {
  Float64<"m k"> const w{{1, 2}, {-0.5, 0.3}, {0.7, 1}, {0, -1}};
  Float64<"k"> const b{0.1, -0.2};
  check("matmul", point, [&](Matrix const& x) { return mixed(matmul(x, w)); });
  check("matmul with a bias", point,
        [&](Matrix const& x) { return mixed(tanh(matmul(x, w) + b)); });
  check("einsum", point, [](Matrix const& x) { return mixed(einsum<"i j, k j -> i k">(x, x)); });
  check("dot", point, [](Matrix const& x) { return mixed(dot(x[0], x[1])); });
  check("outer", point, [](Matrix const& x) { return mixed(outer(x[0], rename<"m -> k">(x[1]))); });
  check("convolve", point, [](Matrix const& x) {
    return mixed(convolve<-1>(x[0], Float64<"2">{0.5, -1.5}) * 2.0);
  });
}

TEST_CASE("second derivatives of losses") {
  check("cross_entropy", point, [](Matrix const& x) { return cross_entropy<"m">(x, labels); });
  check("mse", point, [](Matrix const& x) { return mse_loss(x, exp(x * 0.3)); });
}

TEST_CASE("second derivatives of attention") {
  check("causal attention", point, [](Matrix const& x) {
    auto const k = positions<Keys>(x);
    return mixed(internal::attention_of<internal::MultiheadAttentionName, true>(
        positions<Queries>(x), k, eval(k * k)));
  });
  check("attention", point, [](Matrix const& x) {
    auto const k = positions<Keys>(x);
    return mixed(internal::attention_of<internal::MultiheadAttentionName, false>(
        positions<Queries>(x), k, eval(exp(k))));
  });
}

TEST_CASE("second derivatives of layers") {
  LayerNorm<"4", double> const norm;
  check("LayerNorm", point, [&](Matrix const& x) { return mixed(norm(x)); });
}

TEST_CASE("second derivatives of functions with a custom backward") {
  auto const cube = custom_vjp(
      [](Matrix const& x) { return x * x * x; },
      [](Matrix const& dy, Matrix const&, Matrix const& x) -> Matrix { return 3.0 * x * x * dy; });
  auto const kept = checkpoint([](Matrix const& x) -> Matrix { return exp(x) * x; });
  check("custom_vjp", point, [&](Matrix const& x) { return mixed(cube(x)); });
  check("checkpoint", point, [&](Matrix const& x) { return mixed(kept(x)); });
  check("a checkpoint of a custom_vjp", point,
        [&](Matrix const& x) { return mixed(checkpoint(cube)(x)); });
  check("vjp", point, [](Matrix const& x) {
    auto [y, backward] = vjp([](Matrix const& at) -> Matrix { return sin(at) * at; }, x);
    return mixed(backward(square(y)));
  });
  check("the adjoint of a vjp", point, [](Matrix const& x) {
    auto backward = vjp([](Matrix const& at) -> Matrix { return sin(at) * at; }, point).second;
    return mixed(backward(x));
  });
}

TEST_CASE("a pullback made outside of a recording is differentiable in its adjoint") {
  Matrix const x = point;
  auto backward = vjp([](Matrix const& at) -> Matrix { return at * at; }, x).second;
  auto const derivative = grad([&](Matrix const& dy) -> Scalar { return sum(backward(dy)); })(x);
  CHECK(derivative(0, 1) == doctest::Approx(2 * 1.3));
}

}  // namespace nested_layers_test
