#pragma once

#include <array>

#include <tenon/expr/axes.hpp>
#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/view/packed.hpp>
#include <tenon/op/cast.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal {

/// Tag that keeps reduced axes with size 1: `max<"digit">(x, keep)`.
struct Keep {};
/// An argument of reductions: the reduced axes remain, with size 1. NumPy: `keepdims=True`.
/// PyTorch: `keepdim=True`.
inline constexpr Keep keep{};

/// Whether the tags after an operand, at most one, keep the reduced axes.
template <class... K>
  requires(sizeof...(K) < 2)
inline constexpr bool keeps_axes = sizeof...(K) == 1;

constexpr AxisBits bits_of(AxisChoice const& choice) {
  AxisBits bits = 0;
  for (int i = 0; i < max_rank; ++i) bits |= choice[i] ? 1u << i : 0u;
  return bits;
}

template <class Op, class E>
struct ReductionValue {
  using type = typename E::value_type;
};
template <op::PositionReduction Op, class E>
struct ReductionValue<Op, E> {
  using type = std::int32_t;
};

/// The sizes of a reduction, from those of its operand.
constexpr Sizes reduced_sizes(Sizes const& from, int rank, AxisBits axes, bool keeps) {
  Sizes result = unit_sizes();
  for (int i = 0, to = 0; i < rank; ++i) {
    bool const reductions = has_axis(axes, i);
    if (!reductions) at(result, to++) = at(from, i);
    else if (keeps) ++to;
  }
  return result;
}

/// A reduction by an associative op over some axes of its operand.
template <class Op, class E, AxisBits axes, bool keeps>
struct ReductionNode
    : NodeBase<ReductionNode<Op, E, axes, keeps>, (keeps ? 0 : count_axes(axes)) == E::shape.rank> {
  using ExpressionNode<ReductionNode>::operator=;
  using value_type = typename ReductionValue<Op, E>::type;
  using device = typename E::device;
  using op = Op;
  using operand_type = E;
  static constexpr AxisChoice choice() {
    AxisChoice chosen{};
    for (int i = 0; i < max_rank; ++i) chosen.has[static_cast<std::size_t>(i)] = has_axis(axes, i);
    chosen.count = count_axes(axes);
    return chosen;
  }
  static constexpr Shape shape = reduced(E::shape, choice(), keeps);
  static constexpr bool has_product = tenon::internal::has_product<E>;
  static constexpr bool is_heavy = true;
  static constexpr bool is_small =
      tenon::internal::is_small<E> && is_inline(shape, sizeof(value_type));

  E operand;
  [[no_unique_address]] std::conditional_t<is_small, NoCachedValue, CachedValue> cached_value_{};

  template <class X>
    requires std::same_as<Unqualified<X>, E>
  constexpr explicit ReductionNode(X&& x) : operand(static_cast<X&&>(x)) {}

  constexpr Sizes sizes() const {
    return reduced_sizes(operand.sizes(), E::shape.rank, axes, keeps);
  }
};

template <class E>
inline constexpr bool is_reduction = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_reduction<ReductionNode<Op, E, axes, keeps>> = true;

/// Whether the reduction supports the dtype of `E`. The 16-bit dtypes are reduced as `float`.
template <class Op, class E>
concept ReductionsDtype = (op::PositionReduction<Op> && RealType<typename E::value_type>) ||
                          (!StorageType<typename E::value_type> &&
                           op::MaskReduction<Op> == BoolType<typename E::value_type> &&
                           requires(Computed<typename E::value_type> x) {
                             { Op::f(x, x) } -> std::same_as<Computed<typename E::value_type>>;
                           });

/// The dtype in which `Op` reduces elements of dtype `T`: the sum and the product of narrow
/// integers are `int64` or `uint64`, as in NumPy and PyTorch.
template <class Op, class T>
struct WidenedDtype {
  using type = T;
};
template <op::WideningReduction Op, IntegerType T>
struct WidenedDtype<Op, T> {
  using type = std::conditional_t<IntType<T>, std::int64_t, std::uint64_t>;
};

/// `x` in the dtype in which `Op` reduces it.
template <class Op, Expression X>
constexpr decltype(auto) widened(X&& x) {
  using T = typename Unqualified<X>::value_type;
  using Wide = typename WidenedDtype<Op, T>::type;
  if constexpr (std::same_as<T, Wide>) return std::forward<X>(x);
  else return map<op::Cast<Wide>>(std::forward<X>(x));
}
template <class Op, class X>
using Widened = decltype(widened<Op>(std::declval<X>()));

/// Whether the positions that `Op` returns fit `int32`, as far as sizes are static; true for ops
/// that return none.
template <class Op, Axes A, class E>
inline constexpr bool can_be_counted = true;
template <op::PositionReduction Op, Axes A, class E>
inline constexpr bool can_be_counted<Op, A, E> = has_positions(E::shape, Chosen<A, E>::value);

template <class Op, Axes A, bool keeps>
struct ReductionCall;

template <class Op, Axes A, bool keeps, class X>
constexpr auto reduction_type() {
  if constexpr (is_dispatched<Unqualified<X>>) return Dispatch<ReductionCall<Op, A, keeps>, X>();
  else {
    using E = StoredOperand<X>;
    if constexpr (!Chosen<A, E>::ok) return std::type_identity<ChoiceMistake<Op, A, E>>{};
    else if constexpr (!ReductionsDtype<Op, E>) return dtype_mistake<Op, E>();
    else if constexpr (!can_be_counted<Op, A, E>)
      return std::type_identity<TooManyPositions<Op, E>>{};
    else
      return std::type_identity<
          ReductionNode<Op, StoredOperand<Widened<Op, X>>, bits_of(Chosen<A, E>::value), keeps>>{};
  }
}

/// The node of a reduction, or for an unknown axis an undefined type that names the error.
template <class Op, Axes A, bool keeps, Operand X>
using Reduced = typename decltype(reduction_type<Op, A, keeps, X>())::type;

/// `x` reduced over the axes `A`. This is the diagnostic overload of every reduction.
template <class Op, Axes A, bool keeps = false, Operand X,
          WellFormed Result = Reduced<Op, A, keeps, X&&>>
constexpr auto reduction(X&& x) -> Result {
  if constexpr (is_dispatched<Unqualified<X>>) {
    return Dispatch<ReductionCall<Op, A, keeps>, X&&>::of(std::forward<X>(x));
  } else {
    if constexpr (op::PositionReduction<Op>) check_positions<Op, A>(x);
    return Result(held(widened<Op>(static_cast<X&&>(x))));
  }
}
template <class Op, Axes A, bool keeps = false, Operand X,
          IllFormed Result = Reduced<Op, A, keeps, X&&>>
auto reduction(X&& x) -> Result;

/// A reduction as a function object. (Also of no elements: those of a part of a tensor. After
/// `reduction`: g++ 12 crashes on a call of a template that is declared later.)
template <class Op, Axes A, bool keeps>
struct ReductionCall {
  static constexpr std::string_view name = Op::name;

  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(reduction<Op, A, keeps>(std::forward<X>(x))) {
    return reduction<Op, A, keeps>(std::forward<X>(x));
  }
};

}  // namespace tenon::internal

namespace tenon {

using internal::keep;

}  // namespace tenon
