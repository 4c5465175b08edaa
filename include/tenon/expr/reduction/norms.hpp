#pragma once

#include <tenon/expr/reduction/mean.hpp>
#include <tenon/op/arithmetic.hpp>

/// Square roots of sums and means of squares.
namespace tenon::internal {

struct NormName {
  static constexpr std::string_view name = "norm";
};
struct DeviationName {
  static constexpr std::string_view name = "stddev";
};

/// `void`, or the name of the reason why `X` has no such root along `axes`.
template <class Name, Axes axes, Expression X>
using RootMistake = RuleMistake<FloatRows<Name, axes>, X>;

/// The Euclidean norm of floating numbers, the square root of the sum of squares; its gradient at
/// zero is 0. (Infinite where the squares overflow.) PyTorch: `linalg.vector_norm`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<RootMistake<NormName, axes, X>>
constexpr auto norm(X&& x, K... kept) {
  return map<op::NormRoot>(sum<axes>(square(std::forward<X>(x)), kept...));
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = RootMistake<NormName, axes, X>>
  requires(!std::is_void_v<R>)
auto norm(X&& x, K... kept) -> R;
template <Axes = every, class... X, class R = Refused<NormName, X...>>
auto norm(X const&...) -> R;
template <class Name = NormName, class R = AxisForm<Name>>
auto norm(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = NormName, class R = AxesForm<Name>>
auto norm(AnyExpression) -> R;

/// The standard deviation of floating numbers, the square root of `var` (divided by n, not n - 1,
/// as in NumPy). Not named `std`, to avoid a clash with the standard namespace. Its gradient where
/// all elements are equal is 0. PyTorch: `std(correction=0)`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<RootMistake<DeviationName, axes, X>>
constexpr auto stddev(X&& x, K... kept) {
  return map<op::NormRoot>(var<axes>(std::forward<X>(x), kept...));
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = RootMistake<DeviationName, axes, X>>
  requires(!std::is_void_v<R>)
auto stddev(X&& x, K... kept) -> R;
template <Axes = every, class... X, class R = Refused<DeviationName, X...>>
auto stddev(X const&...) -> R;
template <class Name = DeviationName, class R = AxisForm<Name>>
auto stddev(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = DeviationName, class R = AxesForm<Name>>
auto stddev(AnyExpression) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::norm;
using internal::stddev;

}  // namespace tenon
