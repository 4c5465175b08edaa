#pragma once

#include <utility>

#include <tenon/expr/cached_value.hpp>
#include <tenon/expr/constant.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::internal {

/// Whether evaluating `E` runs a contraction. Nodes over contractions define `has_product`.
template <class E>
inline constexpr bool has_product = requires { requires E::has_product; };

/// Whether evaluating one element of `E` takes a pass over many: a contraction or a reduction.
template <class E>
inline constexpr bool is_heavy = requires { requires E::is_heavy; };

/// Whether an expression and all its operands fit inline (static shapes up to 256 bytes). Computing
/// it again then costs less than caching it.
template <class E>
inline constexpr bool is_small = requires { requires E::is_small; };
template <TensorType E>
inline constexpr bool is_small<E> = E::holds_elements;
template <class T>
inline constexpr bool is_small<ConstantNode<T>> = true;

/// Whether the value of a named expression is cached once it is computed.
template <class E>
inline constexpr bool remembers = is_heavy<E> && !is_small<E>;

/// The tensor type of an expression's value. (Empty for types without a shape: clang substitutes
/// the return types of functions before it checks their constraints.)
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

/// How an operand is stored: by value; a named expression (an lvalue) over a contraction is
/// evaluated once, cached in its node, and stored as its value.
template <class X>
struct StoredAs {
  using type = std::remove_cvref_t<X>;
};
template <class X>
  requires std::is_lvalue_reference_v<X> && has_product<std::remove_cvref_t<X>>
struct StoredAs<X> {
  using type = TensorOf<X>;
};

template <class X>
using StoredOperand = typename StoredAs<X>::type;

template <class X>
TENON_INLINE constexpr StoredOperand<X&&> hold(X&& x) {
  if constexpr (std::same_as<StoredOperand<X&&>, Unqualified<X>>) return std::forward<X>(x);
  else return cached(x);
}

/// The constructor argument of a stored operand: the operand, or its value if that is stored.
template <class X>
TENON_INLINE constexpr decltype(auto) held(X&& x) {
  if constexpr (std::same_as<StoredOperand<X&&>, Unqualified<X>>) return static_cast<X&&>(x);
  else return hold(x);
}

}  // namespace tenon::internal
