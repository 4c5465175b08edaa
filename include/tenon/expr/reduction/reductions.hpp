#pragma once

#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/reduction/reduction.hpp>

/// Reductions over named axes, `sum<"height width">(x)`, over one by index, `sum<-1>(x)`, or over
/// all, `sum(x)`. They drop the reduced axes; with `keep` these remain with size 1.
namespace tenon::internal {

/// The number of elements of `x` that are reduced into one.
template <Axes axes, class X>
constexpr std::int64_t reduced_elements(X const& x) {
  Sizes const sizes = x.sizes();
  std::int64_t number = 1;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (Chosen<axes, X>::value[i]) number *= at(sizes, i);
  }
  return number;
}

/// The sizes of `x`, those of its reduced axes as 1.
template <Axes axes, class X>
constexpr Sizes reduced_sizes(X const& x) {
  Sizes sizes = x.sizes();
  for (int i = 0; i < X::shape.rank; ++i) {
    if (Chosen<axes, X>::value[i]) at(sizes, i) = 1;
  }
  return sizes;
}

/// Throws `ValueError` for a maximum or minimum of no elements, as NumPy does.
template <class Op, Axes axes, class X>
constexpr void require_elements(X const& x) {
  if constexpr (Expression<X>) {
    bool const is_wanted = count(reduced_sizes<axes>(x), X::shape.rank) != 0;
    if (is_wanted && reduced_elements<axes>(x) == 0)
      throw ValueError(concatenate({"tenon::", Op::name, ": an empty axis"}));
  }
}

/// Sum of any numbers; 0 for an empty axis; of a mask `sum(to<std::int32_t>(mask))`. Of signed
/// integers it is `int64`, of unsigned ones `uint64`, else of the dtype of `x`. PyTorch: `sum`.
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          WellFormed R = Reduced<op::SumReduction, axes, keeps_axes<K...>, X&&>>
constexpr auto sum(X&& x, K...) -> R {
  return reduction<op::SumReduction, axes, keeps_axes<K...>>(std::forward<X>(x));
}
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          IllFormed R = Reduced<op::SumReduction, axes, keeps_axes<K...>, X&&>>
auto sum(X&& x, K...) -> R;
template <Axes = every, class... X>
auto sum(X const&...) -> FirstMistake<X...>;
template <class Name = op::SumReduction, class R = AxisForm<Name>>
auto sum(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::SumReduction, class R = AxesForm<Name>>
auto sum(AnyExpression) -> R;

/// Product of any numbers; 1 for an empty axis. Dtypes are those of `sum`. PyTorch: `prod`.
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          WellFormed R = Reduced<op::ProdReduction, axes, keeps_axes<K...>, X&&>>
constexpr auto prod(X&& x, K...) -> R {
  return reduction<op::ProdReduction, axes, keeps_axes<K...>>(std::forward<X>(x));
}
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          IllFormed R = Reduced<op::ProdReduction, axes, keeps_axes<K...>, X&&>>
auto prod(X&& x, K...) -> R;
template <Axes = every, class... X>
auto prod(X const&...) -> FirstMistake<X...>;
template <class Name = op::ProdReduction, class R = AxisForm<Name>>
auto prod(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::ProdReduction, class R = AxesForm<Name>>
auto prod(AnyExpression) -> R;

/// The maximum of integers or floating numbers, of their dtype; NaN if an element is. Ties divide
/// the gradient. Throws `ValueError` for an empty axis. PyTorch: `amax`.
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          WellFormed R = Reduced<op::MaxReduction, axes, keeps_axes<K...>, X&&>>
constexpr auto(max)(X&& x, K...) -> R {
  require_elements<op::MaxReduction, axes>(x);
  return reduction<op::MaxReduction, axes, keeps_axes<K...>>(std::forward<X>(x));
}
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          IllFormed R = Reduced<op::MaxReduction, axes, keeps_axes<K...>, X&&>>
auto(max)(X&& x, K...) -> R;
template <Axes = every, class... X>
auto(max)(X const&...) -> FirstMistake<X...>;
template <Axes, Axes, Axes..., class Name = op::MaxReduction, class R = AxesForm<Name>>
auto(max)(AnyExpression) -> R;

/// The minimum of integers or floating numbers, of their dtype; NaN if an element is. Ties divide
/// the gradient. Throws `ValueError` for an empty axis. PyTorch: `amin`.
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          WellFormed R = Reduced<op::MinReduction, axes, keeps_axes<K...>, X&&>>
constexpr auto(min)(X&& x, K...) -> R {
  require_elements<op::MinReduction, axes>(x);
  return reduction<op::MinReduction, axes, keeps_axes<K...>>(std::forward<X>(x));
}
template <Axes axes = every, Operand X, std::same_as<Keep>... K,
          IllFormed R = Reduced<op::MinReduction, axes, keeps_axes<K...>, X&&>>
auto(min)(X&& x, K...) -> R;
template <Axes = every, class... X>
auto(min)(X const&...) -> FirstMistake<X...>;
template <Axes, Axes, Axes..., class Name = op::MinReduction, class R = AxesForm<Name>>
auto(min)(AnyExpression) -> R;

/// Whether any element of a mask is true; of none: false. PyTorch: `any`.
template <Axes axes = every, Operand X, WellFormed R = Reduced<op::AnyReduction, axes, false, X&&>>
constexpr auto any(X&& x) -> R {
  return reduction<op::AnyReduction, axes>(std::forward<X>(x));
}
template <Axes axes = every, Operand X, IllFormed R = Reduced<op::AnyReduction, axes, false, X&&>>
auto any(X&& x) -> R;
template <Axes axes = every, class... X,
          class R = Refused<ReductionCall<op::AnyReduction, axes, false>, X...>>
auto any(X const&...) -> R;
template <class Name = op::AnyReduction, class R = AxisForm<Name>>
auto any(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::AnyReduction, class R = AxesForm<Name>>
auto any(AnyExpression) -> R;

/// Whether all elements of a mask are true; of none: true. PyTorch: `all`.
template <Axes axes = every, Operand X, WellFormed R = Reduced<op::AllReduction, axes, false, X&&>>
constexpr auto all(X&& x) -> R {
  return reduction<op::AllReduction, axes>(std::forward<X>(x));
}
template <Axes axes = every, Operand X, IllFormed R = Reduced<op::AllReduction, axes, false, X&&>>
auto all(X&& x) -> R;
template <Axes axes = every, class... X,
          class R = Refused<ReductionCall<op::AllReduction, axes, false>, X...>>
auto all(X const&...) -> R;
template <class Name = op::AllReduction, class R = AxisForm<Name>>
auto all(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::AllReduction, class R = AxesForm<Name>>
auto all(AnyExpression) -> R;

/// The position of the maximum along an axis (along all: in row-major order), as int32; the first
/// of equal elements, the first NaN if there is one. Throws `ValueError` for an empty axis,
/// `ShapeError` for more than 2^31 - 1 elements (a compile error where sizes are static). PyTorch:
/// `argmax`.
template <Axes axes = every, Operand X,
          WellFormed R = Reduced<op::ArgmaxReduction, axes, false, X&&>>
constexpr auto argmax(X&& x) -> R {
  return reduction<op::ArgmaxReduction, axes>(std::forward<X>(x));
}
template <Axes axes = every, Operand X,
          IllFormed R = Reduced<op::ArgmaxReduction, axes, false, X&&>>
auto argmax(X&& x) -> R;
template <Axes axes = every, class... X,
          class R = Refused<ReductionCall<op::ArgmaxReduction, axes, false>, X...>>
auto argmax(X const&...) -> R;
template <class Name = op::ArgmaxReduction, class R = AxisForm<Name>>
auto argmax(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::ArgmaxReduction, class R = AxesForm<Name>>
auto argmax(AnyExpression) -> R;
/// The position of the minimum, as `argmax` of the maximum: int32; the first of equal elements, the
/// first NaN if there is one. Throws as `argmax` does. PyTorch: `argmin`.
template <Axes axes = every, Operand X,
          WellFormed R = Reduced<op::ArgminReduction, axes, false, X&&>>
constexpr auto argmin(X&& x) -> R {
  return reduction<op::ArgminReduction, axes>(std::forward<X>(x));
}
template <Axes axes = every, Operand X,
          IllFormed R = Reduced<op::ArgminReduction, axes, false, X&&>>
auto argmin(X&& x) -> R;
template <Axes axes = every, class... X,
          class R = Refused<ReductionCall<op::ArgminReduction, axes, false>, X...>>
auto argmin(X const&...) -> R;
template <class Name = op::ArgminReduction, class R = AxisForm<Name>>
auto argmin(AnyExpression, NumberOrText) -> R;
template <Axes, Axes, Axes..., class Name = op::ArgminReduction, class R = AxesForm<Name>>
auto argmin(AnyExpression) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::all;
using internal::any;
using internal::argmax;
using internal::argmin;
using internal::max;
using internal::min;
using internal::prod;
using internal::sum;

}  // namespace tenon
