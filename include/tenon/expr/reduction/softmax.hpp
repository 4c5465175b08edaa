#pragma once

#include <limits>

#include <tenon/expr/reduction/mean.hpp>

/// Numerically stable softmax and log-sum-exp. Each is a plain formula over rows and becomes one
/// kernel. The shift by the maximum cancels exactly and is a constant for derivatives; an infinite
/// maximum is not subtracted.
namespace tenon::internal {

struct SoftmaxName {
  static constexpr std::string_view name = "softmax";
};
struct LogSoftmaxName {
  static constexpr std::string_view name = "log_softmax";
};
struct LogSumExpName {
  static constexpr std::string_view name = "logsumexp";
};

template <class Name, Axes axes, Expression X>
using NormaliseMistake = RuleMistake<FloatRows<Name, axes>, X>;

/// The maximum along `axes`; -inf where there are no elements.
template <Axes axes, class X, std::same_as<Keep>... K>
constexpr auto largest_of(X const& x, K...) {
  return reduction<op::MaxReduction, axes, sizeof...(K) == 1>(x);
}

/// The maximum along `axes` if it is finite; else 0. With and without `keep` a kernel computes it
/// once.
template <Axes axes, class X, std::same_as<Keep>... K>
constexpr auto shift_of(X const& x, K... kept) {
  using T = Computed<typename X::value_type>;
  auto const largest = largest_of<axes>(x, kept...);
  return stop_gradient(where(abs(largest) == std::numeric_limits<T>::infinity(), T(0), largest));
}

/// exp(x) / sum(exp(x)) along `axes`, of floating numbers: the axes of `x`. PyTorch: `softmax`.
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<SoftmaxName, axes, X>>
constexpr auto softmax(X&& x) {
  auto const& named = x;
  auto const e = exp(named - stop_gradient(largest_of<axes>(named, keep)));
  return e / sum<axes>(e, keep);
}
template <Axes axes, Expression X, std::same_as<Keep>... K,
          class R = NormaliseMistake<SoftmaxName, axes, X>>
  requires(!std::is_void_v<R>)
auto softmax(X&& x, K... kept) -> R;
template <Axes axes>
struct SoftmaxCall : SoftmaxName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(softmax<axes>(std::forward<X>(x)...)) {
    return softmax<axes>(std::forward<X>(x)...);
  }
};
template <Axes axes, class... X>
  requires Dispatches<SoftmaxCall<axes>, X&&...>
auto softmax(X&&... x) {
  return Dispatch<SoftmaxCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes, class... X, class R = Refused<SoftmaxCall<axes>, X...>>
auto softmax(X const&...) -> R;
template <class Name = SoftmaxName, class R = AxisForm<Name>>
auto softmax(AnyExpression, NumberOrText = -1) -> R;

/// log(sum(exp(x))) along `axes`, which are dropped, of floating numbers; -inf for an empty axis.
/// PyTorch: `logsumexp`. SciPy: `logsumexp`.
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<LogSumExpName, axes, X>>
constexpr auto logsumexp(X&& x) {
  auto const& named = x;
  auto const held = hold(named);
  return log(sum<axes>(exp(held - shift_of<axes>(held, keep)))) + shift_of<axes>(held);
}
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<LogSumExpName, axes, X>>
constexpr auto logsumexp(X&& x, Keep) {
  auto const& named = x;
  auto const shift = shift_of<axes>(hold(named), keep);
  return log(sum<axes>(exp(named - shift), keep)) + shift;
}
template <Axes axes, Expression X, std::same_as<Keep>... K,
          class R = NormaliseMistake<LogSumExpName, axes, X>>
  requires(!std::is_void_v<R>)
auto logsumexp(X&& x, K... kept) -> R;
/// (Without `keep`.)
template <Axes axes>
struct LogSumExpCall : LogSumExpName {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(logsumexp<axes>(std::forward<X>(x))) {
    return logsumexp<axes>(std::forward<X>(x));
  }
};
template <Axes axes, class... X>
  requires Dispatches<LogSumExpCall<axes>, X&&...>
auto logsumexp(X&&... x) {
  return Dispatch<LogSumExpCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes, class... X, class R = Refused<LogSumExpCall<axes>, X...>>
auto logsumexp(X const&...) -> R;
template <class Name = LogSumExpName, class R = AxisForm<Name>>
auto logsumexp(AnyExpression, NumberOrText = -1) -> R;

/// x - logsumexp(x) along `axes`, of floating numbers: the axes of `x`. PyTorch: `log_softmax`.
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<LogSoftmaxName, axes, X>>
constexpr auto log_softmax(X&& x) {
  auto const& named = x;
  auto const shifted = named - stop_gradient(largest_of<axes>(named, keep));
  return shifted - log(sum<axes>(exp(shifted), keep));
}
template <Axes axes, Expression X, std::same_as<Keep>... K,
          class R = NormaliseMistake<LogSoftmaxName, axes, X>>
  requires(!std::is_void_v<R>)
auto log_softmax(X&& x, K... kept) -> R;
template <Axes axes>
struct LogSoftmaxCall : LogSoftmaxName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(log_softmax<axes>(std::forward<X>(x)...)) {
    return log_softmax<axes>(std::forward<X>(x)...);
  }
};
template <Axes axes, class... X>
  requires Dispatches<LogSoftmaxCall<axes>, X&&...>
auto log_softmax(X&&... x) {
  return Dispatch<LogSoftmaxCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes, class... X, class R = Refused<LogSoftmaxCall<axes>, X...>>
auto log_softmax(X const&...) -> R;
template <class Name = LogSoftmaxName, class R = AxisForm<Name>>
auto log_softmax(AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::log_softmax;
using internal::logsumexp;
using internal::softmax;

}  // namespace tenon
