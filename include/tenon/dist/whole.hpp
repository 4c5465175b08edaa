#pragma once

#include <tenon/expr/node.hpp>

namespace tenon {

/// Stands for operand `i` of a function as a whole: it has a dtype, a shape and sizes, and no
/// elements. What a function makes of such operands says what becomes of their axes.
template <int i, class T, Spec S, class D>
struct Whole : ExpressionNode<Whole<i, T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  Sizes extents = ones();

  constexpr explicit Whole(Sizes const& sizes) : extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

/// Is a recipe made of such operands?
template <class E>
inline constexpr bool is_of_wholes = is_of_wholes<OperandsOf<E>>;
template <int i, class T, Spec S, class D>
inline constexpr bool is_of_wholes<Whole<i, T, S, D>> = true;
template <class... E>
inline constexpr bool is_of_wholes<Types<E...>> = (is_of_wholes<E> || ...);

/// A product keeps them as they are: there is nothing to evaluate.
template <class X>
  requires is_of_wholes<Unqualified<X>>
struct ProductOperand<X> {
  using type = Unqualified<X>;
};

}  // namespace tenon
