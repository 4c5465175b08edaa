#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/eval/evaluate.hpp>
#include <tenon/numeric/draws/counts.hpp>
#include <tenon/random/normal.hpp>
#include <tenon/tensor/number_text.hpp>

/// Rejection sampling on the host: each element has its own sequence of random numbers, and
/// consumes as many of them as it needs.
namespace tenon::internal::random {

/// The values of a parameter: of each element, or one for all.
struct Column {
  double const* values;
  std::int64_t step;

  double operator()(std::int64_t i) const { return values[i * step]; }
};

/// The number in a dtype; a count beyond the range of an integer dtype is its largest.
template <class T>
T number_as(double x) {
  if constexpr (IntegerType<T>) {
    constexpr auto most = (std::numeric_limits<T>::max)();
    return x < static_cast<double>(most) ? static_cast<T>(x) : most;
  } else {
    return static_cast<T>(x);
  }
}

/// Draws all elements of a tensor, in chunks of about 50 µs.
template <class Draw, TensorType R, class... C>
void draw_elements(Key const& key, R& result, C const&... columns) {
  using T = typename R::value_type;
  constexpr std::int64_t each = 1024;
  std::int64_t const size = result.size();
  result.set_elements([&](T* to) {
    auto const draw = [&](std::int64_t chunk, std::byte*) {
      std::int64_t const last = (std::min)((chunk + 1) * each, size);
      for (std::int64_t i = chunk * each; i < last; ++i) {
        Sequence numbers(key, i);
        to[i] = number_as<T>(Draw::of(numbers, columns(i)...));
      }
    };
    BackendOf<HostOf<typename R::device>>::parallel_for((size + each - 1) / each, 0, draw);
  });
}

/// Throws `ValueError` for parameters outside the range of a distribution.
template <class Draw, class... P>
void check_parameters(P... parameters) {
  if (Draw::takes(parameters...)) return;
  std::string got;
  ((got += (got.empty() ? "" : " and ") + lone_number(parameters, true)), ...);
  fail<ValueError>({.who = Draw::name, .expected = std::string(Draw::expected), .got = got});
}

/// A tensor of draws with parameters that are numbers.
template <class Draw, TensorType R, std::same_as<double>... P>
R draw_with(Key const& key, Sizes const& sizes, P... parameters) {
  check_parameters<Draw>(parameters...);
  row_sizes<R>(sizes);
  R result = R::uninitialised(sizes);
  draw_elements<Draw>(key, result, Column{&parameters, 0}...);
  return result;
}

/// The values of an expression as `double`, constant to a gradient.
template <class X>
auto values_of(X const& x) {
  return eval(to<double>(stop_gradient(x)));
}

/// One draw for each element of parameters of equal axes.
template <class Draw, class X, class... Y>
auto draw_like(Key const& key, X const& x, Y const&... y) {
  auto const draw = [&](auto const&... values) {
    TensorOf<X> result = TensorOf<X>::uninitialised(x.sizes());
    draw_elements<Draw>(key, result, Column{values.data(), 1}...);
    return result;
  };
  return draw(values_of(x), values_of(y)...);
}

/// Tensors of floating dtypes or integers.
template <class R>
concept CountTensor = IntegerTensor<R> || NormalTensor<R>;

/// The gamma distribution of a shape and rate 1: `random::gamma<Float32<"n">>(key, 2.5, n)`.
/// density x^(shape - 1) e^-x / gamma(shape), x > 0
/// Within the rounding of the dtype for every shape; 0 where a small shape underflows. Throws
/// `ValueError` unless the shape is finite and above 0. JAX: `gamma`. NumPy: `standard_gamma`.
template <NormalTensor R, DrawParameter A, class... I>
  requires TakesSizes<R, I...>
R gamma(Key const& key, A shape, I... sizes) {
  return draw_with<GammaDraw, R>(key, given_sizes<R>(sizes...), static_cast<double>(shape));
}
template <TensorType R, DrawParameter A, class... I, class M = SizesMistake<GammaDraw, R, I...>>
auto gamma(Key const& key, A shape, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<GammaDraw, P...>>
auto gamma(P const&...) -> M;

/// The beta distribution of the shapes a and b, as x / (x + y) of two gamma draws.
/// density x^(a - 1) (1 - x)^(b - 1) / B(a, b), 0 < x < 1
/// Small shapes do not underflow to NaN. Throws `ValueError` unless both are finite and above 0.
/// JAX, NumPy: `beta`.
template <NormalTensor R, DrawParameter A, DrawParameter B, class... I>
  requires TakesSizes<R, I...>
R beta(Key const& key, A a, B b, I... sizes) {
  return draw_with<BetaDraw, R>(key, given_sizes<R>(sizes...), static_cast<double>(a),
                                static_cast<double>(b));
}
template <TensorType R, DrawParameter A, DrawParameter B, class... I,
          class M = SizesMistake<BetaDraw, R, I...>>
auto beta(Key const& key, A a, B b, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<BetaDraw, P...>>
auto beta(P const&...) -> M;

/// Student's t distribution of df degrees of freedom. Throws `ValueError` unless df is finite and
/// above 0. JAX: `t`. NumPy: `standard_t`.
template <NormalTensor R, DrawParameter D, class... I>
  requires TakesSizes<R, I...>
R student_t(Key const& key, D df, I... sizes) {
  return draw_with<StudentTDraw, R>(key, given_sizes<R>(sizes...), static_cast<double>(df));
}
template <TensorType R, DrawParameter D, class... I, class M = SizesMistake<StudentTDraw, R, I...>>
auto student_t(Key const& key, D df, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<StudentTDraw, P...>>
auto student_t(P const&...) -> M;

/// The normal distribution with mean 0 and standard deviation 1 between two bounds, which may be
/// infinite or far from 0; exact, by C. Robert's rejection (1995). Throws `ValueError` unless low
/// <= high, low is below inf and high above -inf. JAX: `truncated_normal`. PyTorch:
/// `nn.init.trunc_normal_`.
template <NormalTensor R, DrawParameter L, DrawParameter H, class... I>
  requires TakesSizes<R, I...>
R truncated_normal(Key const& key, L low, H high, I... sizes) {
  return draw_with<TruncatedNormalDraw, R>(key, given_sizes<R>(sizes...), static_cast<double>(low),
                                           static_cast<double>(high));
}
template <TensorType R, DrawParameter L, DrawParameter H, class... I,
          class M = SizesMistake<TruncatedNormalDraw, R, I...>>
auto truncated_normal(Key const& key, L low, H high, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<TruncatedNormalDraw, P...>>
auto truncated_normal(P const&...) -> M;

/// Poisson's distribution: the number of events of a rate, in an integer or floating dtype; a count
/// beyond an integer dtype is its largest. By steps below a rate of 10, else by transformed
/// rejection (W. Hörmann, 1993). Throws `ValueError` unless the rate is finite and not negative.
/// JAX, PyTorch, NumPy: `poisson`.
template <CountTensor R, DrawParameter P, class... I>
  requires TakesSizes<R, I...>
R poisson(Key const& key, P rate, I... sizes) {
  return draw_with<PoissonDraw, R>(key, given_sizes<R>(sizes...), static_cast<double>(rate));
}
template <TensorType R, DrawParameter P, class... I, class M = SizesMistake<PoissonDraw, R, I...>>
auto poisson(Key const& key, P rate, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<PoissonDraw, P...>>
auto poisson(P const&...) -> M;

/// The binomial distribution: the successes of n trials of probability p, in an integer or floating
/// dtype. By steps below a mean of 10, else by transformed rejection (W. Hörmann, 1993). Throws
/// `ValueError` unless n is a finite integer >= 0 and p from 0 to 1. JAX, NumPy: `binomial`.
template <CountTensor R, DrawParameter N, DrawParameter P, class... I>
  requires TakesSizes<R, I...>
R binomial(Key const& key, N n, P p, I... sizes) {
  return draw_with<BinomialDraw, R>(key, given_sizes<R>(sizes...), static_cast<double>(n),
                                    static_cast<double>(p));
}
template <TensorType R, DrawParameter N, DrawParameter P, class... I,
          class M = SizesMistake<BinomialDraw, R, I...>>
auto binomial(Key const& key, N n, P p, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<BinomialDraw, P...>>
auto binomial(P const&...) -> M;

}  // namespace tenon::internal::random

/// Random tensors of `float` or `double`, of counts also of integers, with the names of
/// `jax.random`: `random::gamma<Float32<"n">>(key, 2.5, n)`. After the key come the parameters,
/// then the sizes of the run-time axes in order. An element depends on the key and its position
/// alone, in `dirichlet`, `multinomial` and `multivariate_normal` with its line, in `choice`
/// without replacement with all. Draws are constants to a gradient, except those of
/// `multivariate_normal`.
namespace tenon::random {

using internal::random::beta;
using internal::random::binomial;
using internal::random::gamma;
using internal::random::poisson;
using internal::random::student_t;
using internal::random::truncated_normal;

}  // namespace tenon::random
