#pragma once

#include <cmath>
#include <numbers>
#include <string_view>

#include <tenon/losses/loss.hpp>

namespace tenon::op {

/// -(t log p + (1 - t) log(1 - p)) with logarithms of at least -100, as PyTorch has it: the
/// derivative (p - t) / (p (1 - p)) has a divisor of at least 1e-12.
struct BinaryCrossEntropy {
  static constexpr std::string_view name = "binary_cross_entropy";
  template <class X>
  static X symbolic(X p, X t) {
    X const least = X(-100), one = X(1);
    return (t - one) * maximum(applied<Log1p>(-p), least) - t * maximum(applied<Log>(p), least);
  }
  template <FloatingValue V>
  static constexpr V log_of(V log) {
    return maximum(log, V(scalar_of<V>(-100)));
  }
  template <FloatingValue V>
  static constexpr V f(V p, V t) {
    V const one = V(scalar_of<V>(1));
    return (t - one) * log_of(Log1p::f(-p)) - t * log_of(Log::f(p));
  }
  template <FloatingValue V>
  static constexpr auto d(V p, V t, V) {
    using T = scalar_of<V>;
    V const divisor = maximum((V(T(1)) - p) * p, V(T(1e-12f)));  // float32 in PyTorch, too
    return partials((p - t) / divisor, log_of(applied<Log1p>(-p)) - log_of(applied<Log>(p)));
  }
};

}  // namespace tenon::op

namespace tenon {

/// Options of `kl_div`.
struct KLDivOptions {
  bool log_target = false;  ///< Whether the target is the logarithm of a probability.
};

/// Options of `poisson_nll_loss`.
struct PoissonNLLOptions {
  bool log_input = true;  ///< Whether the input is the logarithm of the rate.
  bool full = false;      ///< Whether Stirling's approximation of log(target!) is added.
  double eps = 1e-8;      ///< Added to a rate before its logarithm, without `log_input`.
};

/// Options of `gaussian_nll_loss`.
struct GaussianNLLOptions {
  bool full = false;  ///< Whether the constant log(2 π)/2 is added.
  double eps = 1e-6;  ///< The least variance.
};

/// The factor of the terms of targets 1 in `binary_cross_entropy_with_logits`: a number, or a
/// tensor that broadcasts to the axes of the logits. PyTorch: `pos_weight`.
template <class W>
struct PosWeight {
  W value;
};
template <class W>
PosWeight(W) -> PosWeight<W>;

/// Options of `sigmoid_focal_loss`.
struct FocalOptions {
  double alpha = 0.25;  ///< The weight of targets 1; that of 0 is 1 - alpha. Below 0: no weights.
  double gamma = 2;     ///< The exponent of the probability of the wrong class.
};

}  // namespace tenon

namespace tenon::compile_error {

/// A number that weighs targets 1 is passed by its name: the operation, and the form of the
/// argument.
template <Spec Operation, Spec Form>
struct pos_weight_has_a_name;

}  // namespace tenon::compile_error

/// Losses that are negative logarithms of probabilities, one for each element. Their arguments have
/// equal shapes: nothing but weights is broadcast. The result is the mean over all positions;
/// `op::sum` is the sum, `op::none` keeps all elements.
namespace tenon::internal {

/// Whether weights are a tensor that broadcasts to the axes of `X`, or for `PosWeight` a number.
template <class W, class X>
concept BroadcastsTo = Expression<W> && requires(W const& w, X const& x) {
  requires assignable(Unqualified<X>::shape, decltype(w * x)::shape);
};
template <class W, class X>
concept WeighsPositives = LiteralNumber<W> || BroadcastsTo<W, X>;

/// Scores, targets and weights that broadcast to them.
template <class Name>
struct WeightedRule : Name {
  template <class X, class W>
  static constexpr auto weight_mistake() {
    if constexpr (BroadcastsTo<W, X>) return std::type_identity<void>{};
    else return loss_mistake<Name, X, X, W>();
  }
  template <class X, class Y, class... W>
  static constexpr auto mistake() {
    auto const own = loss_mistake<Name, X, X, Y>();
    if constexpr (!std::is_void_v<typename decltype(loss_mistake<Name, X, X, Y>())::type>)
      return own;
    else return first_error(own, weight_mistake<X, W>()...);
  }
};
template <class Name, class... X>
using WeightedLossError = RuleError<WeightedRule<Name>, X...>;

/// `W`, or `X` in place of a number: a number fits every operand.
template <class W, class X>
using TensorOfWeights = std::conditional_t<LiteralNumber<W>, X, W>;

/// -(y log p + (1 - y) log(1 - p)) of probabilities p and targets y from 0 to 1, where logarithms
/// are at least -100; a third tensor has weights, which broadcast to the axes of p. PyTorch:
/// `binary_cross_entropy`.
template <LossReduction R = op::mean, Expression P, Expression Y, BroadcastsTo<P>... W>
  requires(sizeof...(W) <= 1) && LossFits<Named<"binary_cross_entropy">, P, Y>
auto binary_cross_entropy(P const& p, Y const& y, W const&... weight) {
  check_equal<Named<"binary_cross_entropy">>(p, y);
  return reduce_loss<R>((map<op::BinaryCrossEntropy>(p, y) * ... * weight));
}
template <LossReduction = op::mean, class P, class Y, class... W,
          class M = WeightedLossError<Named<"binary_cross_entropy">, P, Y, W...>>
  requires(sizeof...(W) <= 1)
auto binary_cross_entropy(P const&, Y const&, W const&...) -> M;

using WithLogitsName = Named<"binary_cross_entropy_with_logits">;

/// The binary cross-entropy of sigmoid(x) and targets y from 0 to 1, without overflow: (1 - y) x +
/// log(1 + e^-x); a third tensor has weights of the terms, which broadcast to the axes of x; that
/// of targets 1 is `PosWeight{w}`. PyTorch: `binary_cross_entropy_with_logits`.
template <LossReduction R = op::mean, Expression X, Expression Y, BroadcastsTo<X>... W>
  requires(sizeof...(W) <= 1) && LossFits<WithLogitsName, X, Y>
auto binary_cross_entropy_with_logits(X const& x, Y const& y, W const&... weight) {
  check_equal<WithLogitsName>(x, y);
  return reduce_loss<R>((((1 - y) * x + softplus(-x)) * ... * weight));
}
/// With a factor w of the terms of targets 1: (1 - y) x + (1 + (w - 1) y) log(1 + e^-x).
template <LossReduction R = op::mean, Expression X, Expression Y, WeighsPositives<X> P>
  requires LossFits<WithLogitsName, X, Y>
auto binary_cross_entropy_with_logits(X const& x, Y const& y, PosWeight<P> const& pos_weight) {
  check_equal<WithLogitsName>(x, y);
  return reduce_loss<R>((1 - y) * x + (1 + (pos_weight.value - 1) * y) * softplus(-x));
}
/// With both.
template <LossReduction R = op::mean, Expression X, Expression Y, BroadcastsTo<X> W,
          WeighsPositives<X> P>
  requires LossFits<WithLogitsName, X, Y>
auto binary_cross_entropy_with_logits(X const& x, Y const& y, W const& weight,
                                      PosWeight<P> const& pos_weight) {
  return reduce_loss<R>(binary_cross_entropy_with_logits<op::none>(x, y, pos_weight) * weight);
}
template <LossReduction = op::mean, class X, class Y, class... W,
          class M = WeightedLossError<WithLogitsName, X, Y, W...>>
  requires(sizeof...(W) <= 1)
auto binary_cross_entropy_with_logits(X const&, Y const&, W const&...) -> M;
template <LossReduction = op::mean, class X, class Y, class P,
          class M = WeightedLossError<WithLogitsName, X, Y, TensorOfWeights<P, X>>>
auto binary_cross_entropy_with_logits(X const&, Y const&, PosWeight<P> const&) -> M;
template <LossReduction = op::mean, class X, class Y, class W, class P,
          class M = WeightedLossError<WithLogitsName, X, Y, W, TensorOfWeights<P, X>>>
auto binary_cross_entropy_with_logits(X const&, Y const&, W const&, PosWeight<P> const&) -> M;
template <LossReduction = op::mean, class X, class Y, LiteralNumber W>
auto binary_cross_entropy_with_logits(X const&, Y const&, W)
    -> compile_error::pos_weight_has_a_name<"binary_cross_entropy_with_logits", "PosWeight{w}">;

/// The binary cross-entropy of sigmoid(x) and targets y, times (1 - p)^gamma with the probability p
/// of the target, times alpha or 1 - alpha. T.-Y. Lin et al., 2017. torchvision:
/// `sigmoid_focal_loss`, there without a reduction by default.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"sigmoid_focal_loss">, X, Y>
auto sigmoid_focal_loss(X const& x, Y const& y, FocalOptions options = {}) {
  check_equal<Named<"sigmoid_focal_loss">>(x, y);
  double const one = options.alpha < 0 ? 1 : options.alpha;
  double const zero = options.alpha < 0 ? 1 : 1 - options.alpha;
  auto const wrong = y * sigmoid(-x) + (1 - y) * sigmoid(x);
  auto const weight = (zero + (one - zero) * y) * pow(wrong, options.gamma);
  return reduce_loss<R>(weight * ((1 - y) * x + softplus(-x)));
}
template <LossReduction = op::mean, class X, class Y,
          class M = LossError<Named<"sigmoid_focal_loss">, X, Y>>
auto sigmoid_focal_loss(X const&, Y const&, FocalOptions = {}) -> M;

/// The terms y (log y - x) of the Kullback-Leibler divergence of the probabilities y from those
/// whose logarithms are x; 0 log 0 is 0. With `.log_target` e^y (y - x). The divergence is the sum
/// over the classes: `kl_div<op::sum>(x, y)`, divided by the size of the batch. PyTorch: `kl_div`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"kl_div">, X, Y>
auto kl_div(X const& x, Y const& y, KLDivOptions options = {}) {
  check_equal<Named<"kl_div">>(x, y);
  if (options.log_target) return reduce_loss<R>(exp(y) * (y - x));
  auto const entropy = where(y == 0, 0, y * log(where(y == 0, 1, y)));
  return reduce_loss<R>(entropy - y * x);
}
template <LossReduction = op::mean, class X, class Y, class M = LossError<Named<"kl_div">, X, Y>>
auto kl_div(X const&, Y const&, KLDivOptions = {}) -> M;

/// y log y - y + log(2 π y)/2 where y > 1, else 0: about log(y!).
auto stirling(Expression auto const& y) {
  auto const above = where(y > 1, y, 1);
  auto const log_factorial = above * log(above) - above + 0.5 * log(2 * std::numbers::pi * above);
  return where(y > 1, log_factorial, 0);
}

/// e^x - y x of logarithms x of rates and counts y; without `.log_input` x - y log(x + eps) of
/// rates. PyTorch: `poisson_nll_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"poisson_nll_loss">, X, Y>
auto poisson_nll_loss(X const& x, Y const& y, PoissonNLLOptions options = {}) {
  check_equal<Named<"poisson_nll_loss">>(x, y);
  auto const reduced = [&](auto const& loss) {
    return options.full ? reduce_loss<R>(loss + stirling(y)) : reduce_loss<R>(loss);
  };
  return options.log_input ? reduced(exp(x) - y * x) : reduced(x - y * log(x + options.eps));
}
template <LossReduction = op::mean, class X, class Y,
          class M = LossError<Named<"poisson_nll_loss">, X, Y>>
auto poisson_nll_loss(X const&, Y const&, PoissonNLLOptions = {}) -> M;

/// (log v + (x - y)²/v) / 2 of means x, targets y and variances v, which are at least eps (their
/// gradient ignores it). Throws `ValueError` for a negative variance. D. Nix, A. Weigend, 1994.
/// PyTorch: `gaussian_nll_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y, Expression V>
  requires LossFits<Named<"gaussian_nll_loss">, X, Y, V>
auto gaussian_nll_loss(X const& x, Y const& y, V const& variance, GaussianNLLOptions options = {}) {
  using Name = Named<"gaussian_nll_loss">;
  check_equal<Name>(x, y, variance);
  if (any(stop_gradient(variance) < 0).item())
    fail<ValueError>({Name::name, "variance", "numbers of at least 0", "a negative one", {}});
  auto const v = variance + stop_gradient(maximum(variance, options.eps) - variance);
  double const rest = options.full ? 0.5 * std::log(2 * std::numbers::pi) : 0;
  return reduce_loss<R>(0.5 * (log(v) + square(x - y) / v) + rest);
}
template <LossReduction = op::mean, class X, class Y, class V,
          class M = LossError<Named<"gaussian_nll_loss">, X, Y, V>>
auto gaussian_nll_loss(X const&, Y const&, V const&, GaussianNLLOptions = {}) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::binary_cross_entropy;
using internal::binary_cross_entropy_with_logits;
using internal::gaussian_nll_loss;
using internal::kl_div;
using internal::poisson_nll_loss;
using internal::sigmoid_focal_loss;

}  // namespace tenon
