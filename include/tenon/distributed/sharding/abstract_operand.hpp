#pragma once

#include <type_traits>

#include <tenon/ir/describe.hpp>

namespace tenon::internal {

/// Abstract global operand `i` of a function: dtype, shape and sizes, no elements. The expression
/// that the function returns for such operands determines the axes of its result.
template <int i, class T, Spec S, class D>
struct AbstractOperand : ExpressionNode<AbstractOperand<i, T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  Sizes extents = unit_sizes();

  constexpr explicit AbstractOperand(Sizes const& sizes) : extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

/// Its description (see `ir/describe.hpp`).
template <class Columns, int i, class T, Spec S, class D>
constexpr void describe(ir::NodeType& type, std::type_identity<AbstractOperand<i, T, S, D>>) {
  type.kind = NodeKind::abstract_operand;
  type.number_of_operand = i;
}

/// Whether an expression consists of such operands.
template <class E>
inline constexpr bool is_abstract = is_abstract<OperandsOf<E>>;
template <int i, class T, Spec S, class D>
inline constexpr bool is_abstract<AbstractOperand<i, T, S, D>> = true;
template <class... E>
inline constexpr bool is_abstract<Types<E...>> = (is_abstract<E> || ...);

/// Stored operand of a contraction: unchanged, since there is nothing to evaluate.
template <class X>
  requires is_abstract<Unqualified<X>>
struct ProductOperand<X> {
  using type = Unqualified<X>;
};

}  // namespace tenon::internal
