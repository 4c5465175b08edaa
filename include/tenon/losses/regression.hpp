#pragma once

#include <string_view>

#include <tenon/losses/loss.hpp>

namespace tenon::op {

/// z²/(2 beta) where |z| < beta, else |z| - beta/2.
struct SmoothL1 {
  static constexpr std::string_view name = "smooth_l1";
  template <class X>
  static X symbolic(X z, X beta) {
    X const a = abs(z);
    return select(a < beta, a / beta * a * X(0.5), a - beta * X(0.5));
  }
  template <FloatingValue V>
  static constexpr V f(V z, V beta) {
    V const a = abs(z), half = V(scalar_of<V>(0.5));
    return select(a < beta, half * a * (a / beta), a - half * beta);
  }
  template <FloatingValue V>
  static constexpr auto d(V z, V beta, V) {
    V const half = V(scalar_of<V>(0.5)), part = z / beta, sign = applied<Sign>(z);
    auto const curved = abs(z) < beta;
    return partials(select(curved, part, sign), select(curved, -half * part * part, -half));
  }
};

}  // namespace tenon::op

namespace tenon {

/// Options of `huber_loss`.
struct HuberOptions {
  double delta = 1;  ///< The difference beyond which the loss is linear; above 0.
};

/// Options of `smooth_l1_loss`.
struct SmoothL1Options {
  double beta = 1;  ///< The difference beyond which the loss is linear; 0: everywhere.
};

}  // namespace tenon

/// Losses of differences. Their arguments have equal shapes: nothing is broadcast. The result is
/// the mean over all positions, a scalar tensor; `mse_loss<op::sum>(a, b)` is the sum, `op::none`
/// keeps all elements.
namespace tenon::internal {

/// |x - y|; its derivative where they are equal is 0. PyTorch: `l1_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"l1_loss">, X, Y>
auto l1_loss(X const& x, Y const& y) {
  check_equal<Named<"l1_loss">>(x, y);
  return reduce_loss<R>(abs(x - y));
}
template <LossReduction = op::mean, class X, class Y, class M = LossError<Named<"l1_loss">, X, Y>>
auto l1_loss(X const&, Y const&) -> M;

/// (x - y)². PyTorch: `mse_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"mse_loss">, X, Y>
auto mse_loss(X const& x, Y const& y) {
  check_equal<Named<"mse_loss">>(x, y);
  return reduce_loss<R>(square(x - y));
}
template <LossReduction = op::mean, class X, class Y, class M = LossError<Named<"mse_loss">, X, Y>>
auto mse_loss(X const&, Y const&) -> M;

/// z²/(2 beta) where |z| < beta, else |z| - beta/2, of z = x - y. PyTorch: `smooth_l1_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"smooth_l1_loss">, X, Y>
auto smooth_l1_loss(X const& x, Y const& y, SmoothL1Options options = {}) {
  check_equal<Named<"smooth_l1_loss">>(x, y);
  return reduce_loss<R>(map<op::SmoothL1>(x - y, options.beta));
}
template <LossReduction = op::mean, class X, class Y,
          class M = LossError<Named<"smooth_l1_loss">, X, Y>>
auto smooth_l1_loss(X const&, Y const&, SmoothL1Options = {}) -> M;

/// z²/2 where |z| < delta, else delta (|z| - delta/2), of z = x - y. P. Huber, 1964. PyTorch:
/// `huber_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"huber_loss">, X, Y>
auto huber_loss(X const& x, Y const& y, HuberOptions options = {}) {
  check_equal<Named<"huber_loss">>(x, y);
  return reduce_loss<R>(options.delta * map<op::SmoothL1>(x - y, options.delta));
}
template <LossReduction = op::mean, class X, class Y,
          class M = LossError<Named<"huber_loss">, X, Y>>
auto huber_loss(X const&, Y const&, HuberOptions = {}) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::huber_loss;
using internal::l1_loss;
using internal::mse_loss;
using internal::smooth_l1_loss;

}  // namespace tenon
