#pragma once

#include <type_traits>
#include <utility>

#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/rule.hpp>

namespace tenon::internal {

/// The dtype in which `x` is averaged: masks and integers as `float`.
template <Expression X>
constexpr decltype(auto) as_floating(X&& x) {
  if constexpr (InexactType<typename Unqualified<X>::value_type>) return std::forward<X>(x);
  else return to<float>(std::forward<X>(x));
}

template <class X>
using Floating = std::remove_cvref_t<decltype(as_floating(std::declval<X>()))>;

/// `void`, or the name of the reason why rows of `E` along `axes` cannot be averaged or normalised:
/// the axes, or the dtype if `accepts` is false.
template <class Name, Axes axes, class E, bool accepts>
constexpr auto rows_mistake() {
  if constexpr (!Chosen<axes, E>::ok) return std::type_identity<ChoiceMistake<Name, axes, E>>{};
  else if constexpr (!accepts) return dtype_mistake<Name, E>();
  else return std::type_identity<void>{};
}

/// Rows of a floating dtype.
template <class Name, Axes axes>
struct FloatRows : Name {
  template <class X>
  static constexpr auto mistake() {
    return rows_mistake<Name, axes, X, FloatType<typename X::value_type>>();
  }
};

template <class Name, Axes axes, Expression X>
using MeanMistake =
    typename decltype(rows_mistake<Name, axes, Unqualified<X>,
                                   !StorageType<typename Unqualified<X>::value_type>>())::type;

/// Mean; NaN for an empty axis. Masks and integers are averaged as `float`. PyTorch: `mean`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<MeanMistake<op::MeanReduction, axes, X>>
constexpr auto mean(X&& x, K...) {
  using T = Computed<typename Floating<X>::value_type>;
  auto const number = number_as<T>(reduced_elements<axes>(x));
  return reduction<op::SumReduction, axes, keeps_axes<K...>>(as_floating(std::forward<X>(x))) /
         number;
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = MeanMistake<op::MeanReduction, axes, X>>
  requires(!std::is_void_v<R>)
auto mean(X&& x, K... kept) -> R;
template <Axes axes>
struct MeanCall : op::MeanReduction {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(mean<axes>(std::forward<X>(x)...)) {
    return mean<axes>(std::forward<X>(x)...);
  }
};
template <Axes axes = every, class... X>
  requires Dispatches<MeanCall<axes>, X&&...>
auto mean(X&&... x) {
  return Dispatch<MeanCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes = every, class... X, class R = Refused<MeanCall<axes>, X...>>
auto mean(X const&...) -> R;
template <class Name = op::MeanReduction, class R = AxisForm<Name>>
auto mean(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::MeanReduction, class R = AxesForm<Name>>
auto mean(AnyExpression) -> R;

template <Axes axes, Expression X>
using VarianceMistake =
    typename decltype(rows_mistake<op::VarianceReduction, axes, Unqualified<X>,
                                   FloatType<typename Unqualified<X>::value_type>>())::type;

/// Variance of floating numbers, the mean of squared distances from the mean (as in NumPy: divided
/// by n, not n - 1). PyTorch: `var(correction=0)`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<VarianceMistake<axes, X>>
constexpr auto var(X&& x, K... kept) {
  auto const& named = x;
  return mean<axes>(square(named - mean<axes>(named, keep)), kept...);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = VarianceMistake<axes, X>>
  requires(!std::is_void_v<R>)
auto var(X&& x, K... kept) -> R;
template <Axes = every, class... X, class R = Refused<op::VarianceReduction, X...>>
auto var(X const&...) -> R;
template <class Name = op::VarianceReduction, class R = AxisForm<Name>>
auto var(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::VarianceReduction, class R = AxesForm<Name>>
auto var(AnyExpression) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::mean;
using internal::var;

}  // namespace tenon
