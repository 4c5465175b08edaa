#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/eval/linalg/cholesky.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/numeric/draws/draws.hpp>

/// Draws of which several elements belong together.
namespace tenon::internal::random {

/// Points of a simplex along an axis, from Dirichlet's distribution: one for each line of
/// concentrations, as the softmax of logarithms of gamma draws, in which small concentrations do
/// not underflow.
/// density prod x_i^(a_i - 1) gamma(sum a) / prod gamma(a_i)
/// A line with a concentration that is not finite and above 0 is NaN. JAX, NumPy: `dirichlet`.
template <Axes axis, Expression X>
  requires HasAxes<axis, X> && FloatType<typename Unqualified<X>::value_type>
auto dirichlet(Key const& key, X const& concentrations) {
  auto const logarithms = draw_like<LogGammaDraw>(key, to<double>(concentrations));
  return eval(to<typename X::value_type>(softmax<axis>(logarithms)));
}
template <Axes axis, Expression X>
  requires(!HasAxes<axis, X>)
auto dirichlet(Key const& key, X const& concentrations)
    -> ChoiceMistake<Named<"dirichlet">, axis, X>;

/// A line of numbers in memory.
template <class T>
struct Line {
  T* first;
  std::int64_t size, step;

  T& operator[](std::int64_t i) const { return first[i * step]; }
};

/// The sum of weights. Throws `ValueError` unless all are >= 0 and their sum is finite and above 0.
inline double sum_of_weights(std::string_view who, Line<double const> weights) {
  double sum = 0;
  bool is_right = true;
  for (std::int64_t i = 0; i < weights.size; ++i) {
    sum += weights[i];
    is_right &= weights[i] >= 0;
  }
  if (is_right && is_positive(sum)) return sum;
  fail<ValueError>(
      {.who = who,
       .expected = "weights >= 0 of a finite sum above 0",
       .got = is_right ? "a sum of " + lone_number(sum, true) : "a negative one or NaN"});
}

/// The counts of n trials among classes: each is binomial, of the trials and the weights that are
/// left. The weights are added from the last one on: the last above 0 takes all trials left.
template <class T>
void multinomial_line(Sequence numbers, double n, Line<double const> weights, Line<T> counts) {
  sum_of_weights("multinomial", weights);
  std::vector<double> left(static_cast<std::size_t>(weights.size));
  double sum = 0;
  for (std::int64_t k = weights.size; k-- > 0;)
    left[static_cast<std::size_t>(k)] = sum += weights[k];
  for (std::int64_t k = 0; k < weights.size; ++k) {
    double const share = weights[k] > 0 ? weights[k] / left[static_cast<std::size_t>(k)] : 0;
    double const count = BinomialDraw::of(numbers, n, share);
    counts[k] = static_cast<T>(count);
    n -= count;
  }
}

/// The counts of classes in n trials: one draw for each line of weights along an axis, which need
/// not sum to 1, in their dtype, which rounds counts above 2^24 in `float`. Throws `ValueError`
/// unless n is a finite integer >= 0 and the weights of each line are >= 0 with a finite sum above
/// 0. JAX, NumPy: `multinomial`.
template <Axes axis, DrawParameter N, Expression X>
  requires HasAxes<axis, X> && FloatType<typename Unqualified<X>::value_type>
auto multinomial(Key const& key, N n, X const& weights) {
  using R = TensorOf<X>;
  check_parameters<BinomialDraw>(static_cast<double>(n), 0.0);
  auto const values = values_of(weights);
  R result = R::uninitialised(weights.sizes());
  constexpr int along = Chosen<axis, X>::value.axis();
  std::int64_t const size = at(weights.sizes(), along),
                     lines = size == 0 ? 0 : result.size() / size;
  std::int64_t inner = 1;
  for (int i = along + 1; i < R::rank; ++i) inner *= at(weights.sizes(), i);
  result.set_elements([&](auto* to) {
    for (std::int64_t i = 0; i < lines; ++i) {
      std::int64_t const first = i / inner * inner * size + i % inner;
      multinomial_line(Sequence(key, i), static_cast<double>(n),
                       Line<double const>{values.data() + first, size, inner},
                       Line<typename R::value_type>{to + first, size, inner});
    }
  });
  return result;
}
template <Axes axis, DrawParameter N, Expression X>
  requires(!HasAxes<axis, X>)
auto multinomial(Key const& key, N n, X const& weights)
    -> ChoiceMistake<Named<"multinomial">, axis, X>;

struct MultivariateNormalName {
  static constexpr std::string_view name = "multivariate_normal",
                                    form = "multivariate_normal<R>(Key(42), mean, covariance, n)";
};

/// Vectors of the normal distribution of a mean "n" and a covariance matrix "n n", which are the
/// last axis of `R`: mean + L z with Cholesky's factor L. Differentiable by both parameters. Throws
/// `ValueError` for a covariance that is not positive definite. JAX, NumPy: `multivariate_normal`.
template <NormalTensor R, Expression M, Expression C, class... I>
  requires TakesSizes<R, I...>
R multivariate_normal(Key const& key, M const& mean, C const& covariance, I... sizes) {
  auto const factor = linalg::cholesky(covariance);
  return R(mean + matmul(normal<R>(key, sizes...), transpose(factor)));
}
template <TensorType R, Expression M, Expression C, class... I,
          class E = SizesMistake<MultivariateNormalName, R, I...>>
auto multivariate_normal(Key const& key, M const& mean, C const& covariance, I... sizes) -> E;
template <TensorType R, class... P, class E = KeyForm<MultivariateNormalName, P...>>
auto multivariate_normal(P const&...) -> E;

struct ChoiceName {
  static constexpr std::string_view name = "choice", form = "choice<R>(Key(42), 10, n)";
};

/// Throws `ValueError` where the last of some positions is beyond a dtype.
template <IntegerType T>
void check_last_position(std::int64_t count) {
  if (count > 0 && !std::in_range<T>(count - 1))
    fail<ValueError>({.who = ChoiceName::name,
                      .expected = "weights whose positions " + std::string(dtype_name<T>) + " has",
                      .got = std::to_string(count)});
}

/// Positions of weights drawn independently: the inverse of their cumulative sum.
template <class T>
void choose_with(Key const& key, Line<double const> weights, T* to, std::int64_t number) {
  double const sum = sum_of_weights("choice", weights);
  std::vector<double> below(static_cast<std::size_t>(weights.size));
  double total = 0;
  for (std::size_t i = 0; i < below.size(); ++i) below[i] = total += weights.first[i];
  for (std::int64_t i = 0; i < number; ++i) {
    // The largest draw is below the sum, so that the position has a weight above zero.
    double const at = (std::min)(Sequence(key, i).uniform() * sum, std::nextafter(sum, 0.0));
    to[i] = static_cast<T>(std::upper_bound(below.begin(), below.end(), at) - below.begin());
  }
}

/// Different positions in the order of a race: position i arrives after an exponential time of rate
/// `weights[i]`, never where that is 0. P. Efraimidis, P. Spirakis, "Weighted random sampling with
/// a reservoir", 2006.
template <class T>
void choose_without(Key const& key, Line<double const> weights, T* to, std::int64_t number) {
  sum_of_weights("choice", weights);
  std::vector<std::pair<double, std::int64_t>> arrivals;
  for (std::int64_t i = 0; i < weights.size; ++i)
    if (weights[i] > 0)
      arrivals.emplace_back(-op::Log::f(Sequence(key, i).uniform()) / weights[i], i);
  if (std::cmp_less(arrivals.size(), number))
    fail<ValueError>({.who = "choice",
                      .expected = "at most " + std::to_string(arrivals.size()) + " positions",
                      .got = std::to_string(number)});
  std::partial_sort(arrivals.begin(), arrivals.begin() + number, arrivals.end());
  for (std::int64_t i = 0; i < number; ++i)
    to[i] = static_cast<T>(arrivals[static_cast<std::size_t>(i)].second);
}

}  // namespace tenon::internal::random

namespace tenon::random {

/// Whether a position may be chosen again.
enum class Replacement { with, without };

}  // namespace tenon::random

namespace tenon::internal::random {

using tenon::random::Replacement;

/// Positions along a vector of weights, each drawn with a probability in proportion to its weight:
/// `take<"example">(x, random::choice<Int32<"example">>(key, weights, n))`. With
/// `random::Replacement::without` each is drawn at most once, in the order of draws. Throws
/// `ValueError` unless the weights are >= 0 with a finite sum above 0, and for more positions than
/// weights above 0 without replacement. JAX, NumPy: `choice`. PyTorch: `multinomial`.
template <IntegerTensor R, Replacement replacement = Replacement::with, Expression W, class... I>
  requires TakesSizes<R, I...> && (W::shape.rank == 1) && FloatType<typename W::value_type>
R choice(Key const& key, W const& weights, I... sizes) {
  auto const values = values_of(weights);
  check_last_position<typename R::value_type>(values.size());
  Sizes const all = given_sizes<R>(sizes...);
  row_sizes<R>(all);
  R result = R::uninitialised(all);
  result.set_elements([&, size = result.size()](auto* to) {
    Line<double const> const line{values.data(), values.size(), 1};
    if constexpr (replacement == Replacement::with) choose_with(key, line, to, size);
    else choose_without(key, line, to, size);
  });
  return result;
}

/// Positions below `count`, each with the same probability. JAX, NumPy: `choice`.
template <IntegerTensor R, Replacement replacement = Replacement::with, std::integral N, class... I>
  requires TakesSizes<R, I...>
R choice(Key const& key, N count, I... sizes) {
  if constexpr (replacement == Replacement::with) return uniform<R>(key, N(0), count, sizes...);
  else return choice<R, replacement>(key, full<Tensor<double, "n">>(1.0, count), sizes...);
}
template <TensorType R, Replacement = Replacement::with, class W, class... I,
          class M = SizesMistake<ChoiceName, R, I...>>
auto choice(Key const& key, W const& weights, I... sizes) -> M;
template <TensorType R, Replacement = Replacement::with, class... P,
          class M = KeyForm<ChoiceName, P...>>
auto choice(P const&...) -> M;

}  // namespace tenon::internal::random

namespace tenon::random {

using internal::random::choice;
using internal::random::dirichlet;
using internal::random::multinomial;
using internal::random::multivariate_normal;

}  // namespace tenon::random
