#pragma once

#include <utility>

#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/node.hpp>

/// Arithmetic on the 16-bit dtypes. When it is evaluated, an expression is converted to `float`:
/// its inputs are cast, exactly, and its value is rounded once, where it is stored. There is no
/// intermediate rounding, however long the formula, except by an explicit cast to a 16-bit dtype (a
/// cast to `float` takes the unrounded value), and where the value of a named contraction is
/// cached. So results depend on the program alone: not on the backend, lanes or threads. (For
/// matmuls the order of sums is the backend's. One that multiplies bfloat16 by machine instructions
/// flushes operands and sums below 1.2e-38 to zero.)
namespace tenon::internal {

/// Whether an expression computes, not only reads, values of a 16-bit dtype.
template <class E>
inline constexpr bool is_rounded = false;
template <NarrowType T>
inline constexpr bool is_rounded<ConstantNode<T>> = true;
template <class Op, class... E>
inline constexpr bool is_rounded<Elementwise<Op, E...>> =
    (NarrowType<typename E::value_type> || ...) || (is_rounded<E> || ...);
template <class To, class E>
inline constexpr bool is_rounded<Elementwise<op::Cast<To>, E>> = is_rounded<E>;
template <class E, PackedMap order, Spec S>
inline constexpr bool is_rounded<IndexMap<E, order, S>> = is_rounded<E>;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_rounded<ReductionNode<Op, E, axes, keeps>> =
    NarrowType<typename E::value_type> || is_rounded<E>;
template <class A, class B, class Rule>
inline constexpr bool is_rounded<Contract<A, B, Rule>> = NarrowType<typename A::value_type>;

/// The same elements as another dtype.
template <class To, class E>
constexpr auto with_dtype(E e) {
  if constexpr (std::same_as<typename E::value_type, To>) return e;
  else return Elementwise<op::Cast<To>, E>(std::move(e));
}

/// An expression before its rounding. One that is only a view is cast.
template <class E>
constexpr auto unrounded(E const& e) {
  return with_dtype<Computed<typename E::value_type>>(e);
}
template <NarrowType T>
constexpr auto unrounded(ConstantNode<T> const& e) {
  return ConstantNode<float>(e.value);
}

template <class To, class E>
  requires is_rounded<E>
constexpr auto unrounded(Elementwise<op::Cast<To>, E> const& e) {
  return with_dtype<Computed<To>>(with_dtype<To>(unrounded(operand_at<0>(e))));
}
template <class E>
  requires(is_rounded<E> && !is_constant<E>)
constexpr auto unrounded(E const& e) {
  return with_operands(e, [](auto const& operand, auto) { return unrounded(operand); });
}

/// A contraction of operands that are cast where they are read.
template <class A, class B, class Rule>
  requires is_rounded<Contract<A, B, Rule>>
constexpr auto unrounded(Contract<A, B, Rule> const& e) {
  return with_operands(e, [](auto const& operand, auto) { return with_dtype<float>(operand); });
}

/// An expression without the rounding of its value: its adjoint, which is not rounded, belongs to
/// this.
template <class E>
constexpr decltype(auto) before_rounding(E const& e) {
  if constexpr (NarrowType<typename E::value_type>) return with_dtype<float>(e);
  else return (e);
}
template <NarrowType To, class E>
  requires std::same_as<typename E::value_type, float>
constexpr E const& before_rounding(Elementwise<op::Cast<To>, E> const& e) {
  return operand_at<0>(e);
}

/// The expression whose elements are those of `e`, rounded once.
template <class E>
constexpr auto rounded(E const& e) {
  return with_dtype<typename E::value_type>(unrounded(e));
}

}  // namespace tenon::internal
