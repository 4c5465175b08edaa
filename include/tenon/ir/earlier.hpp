#pragma once

#include <tenon/tensor/tensor.hpp>

namespace tenon::internal {

/// The value of an earlier kernel as an input of a later one.
template <class T, Spec S, class D>
struct Earlier : ExpressionNode<Earlier<T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  int number;  ///< Of the kernel.
  Sizes extents;

  constexpr Earlier(int kernel, Sizes const& sizes) : number(kernel), extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

template <class E>
inline constexpr bool is_earlier = false;
template <class T, Spec S, class D>
inline constexpr bool is_earlier<Earlier<T, S, D>> = true;

/// Represents the contraction that a kernel computes itself, before its epilogue.
inline constexpr int own_product = -1;

template <class E>
constexpr auto earlier(E const& e, int number) {
  return Earlier<typename E::value_type, spec_of<E>, typename E::device>(number, e.sizes());
}

}  // namespace tenon::internal
