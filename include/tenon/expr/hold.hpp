#pragma once

#include <utility>

#include <tenon/expr/constant.hpp>
#include <tenon/expr/memo.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Does evaluating `E` run a matrix product? Nodes over products say so themselves.
template <class E>
inline constexpr bool has_product = requires { requires E::has_product; };

/// Does evaluating one element of `E` cost a pass over many: a product or a fold?
template <class E>
inline constexpr bool is_heavy = requires { requires E::is_heavy; };

/// Do an expression and all its operands fit inline (static shapes up to 256 bytes)? Computing it
/// again then costs less than caching it.
template <class E>
inline constexpr bool is_small = requires { requires E::is_small; };
template <TensorType E>
inline constexpr bool is_small<E> = E::holds_elements;
template <class T>
inline constexpr bool is_small<ConstantNode<T>> = true;

/// Is the value of a recipe kept, once it was asked for through a name?
template <class E>
inline constexpr bool remembers = is_heavy<E> && !is_small<E>;

/// The tensor that a recipe evaluates to. (What has no shape has none: clang substitutes the return
/// types of functions before it asks for their constraints.)
template <class E>
struct TensorTypeOf {};
template <class E>
  requires(!TensorType<E>) && requires { E::shape; }
struct TensorTypeOf<E> {
  using type = Tensor<typename E::value_type, spec_of<E>, typename E::device>;
};
template <TensorType E>
struct TensorTypeOf<E> {
  using type = E;
};
template <class E>
using TensorOf = typename TensorTypeOf<std::remove_cvref_t<E>>::type;

/// How an operand is kept: by value; a recipe over a product that has a name (an lvalue) is
/// evaluated once, remembered by its node, and kept as its value.
template <class X>
struct HeldAs {
  using type = std::remove_cvref_t<X>;
};
template <class X>
  requires std::is_lvalue_reference_v<X> && has_product<std::remove_cvref_t<X>>
struct HeldAs<X> {
  using type = TensorOf<X>;
};

template <class X>
using Held = typename HeldAs<X>::type;

template <class X>
TENON_INLINE constexpr Held<X&&> hold(X&& x) {
  if constexpr (std::same_as<Held<X&&>, Unqualified<X>>) return std::forward<X>(x);
  else return remembered(x);
}

/// What a stored operand is constructed from: the operand, or its value where that is stored.
template <class X>
TENON_INLINE constexpr decltype(auto) held(X&& x) {
  if constexpr (std::same_as<Held<X&&>, Unqualified<X>>) return static_cast<X&&>(x);
  else return hold(x);
}

}  // namespace tenon
