#pragma once

#include <concepts>
#include <type_traits>

#include <tenon/core/dtype.hpp>
#include <tenon/tensor/expression.hpp>

namespace tenon {

/// A number of the language in an expression: it follows the dtype and the device of the tensors.
/// (Beside a 16-bit tensor it stays a `float`, as all that is computed there.)
template <class T>
struct ConstantNode : ExpressionNode<ConstantNode<T>> {
  using value_type = T;
  using device = AnyDevice;
  static constexpr Shape shape{};

  Computed<T> value{};

  constexpr ConstantNode() = default;
  constexpr explicit ConstantNode(Computed<T> number) : value(number) {}

  static constexpr Sizes sizes() { return ones(); }
};

template <class E>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<ConstantNode<T>> = true;

/// What may stand beside a tensor in an expression.
template <class X>
concept LiteralNumber = std::is_arithmetic_v<std::remove_cvref_t<X>> ||
                        (is_dtype<std::remove_cvref_t<X>> && !Expression<X>);

template <class X>
concept MapOperand = Expression<X> || LiteralNumber<X>;

/// The dtype of a literal that meets no tensor: as its type says, floating ones are `float`.
template <class X>
using LiteralType = std::conditional_t<std::same_as<X, double>, float, X>;

/// The dtype that literals take on: that of the last tensor, unless that is a mask beside numbers.
template <class... X>
struct WeakType;
template <class X>
struct WeakType<X> {
  using type = LiteralType<X>;
};
template <ExpressionType X>
struct WeakType<X> {
  using type = typename X::value_type;
};
template <class X, class... Rest>
struct WeakType<X, Rest...> {
  static constexpr bool rest_has_tensor = (ExpressionType<Rest> || ...);
  template <class E>
  static auto own() {
    if constexpr (ExpressionType<E>) return std::type_identity<typename E::value_type>{};
    else return std::type_identity<LiteralType<E>>{};
  }
  using last = typename WeakType<Rest...>::type;
  using type = std::conditional_t<rest_has_tensor || BoolType<typename decltype(own<X>())::type>,
                                  last, typename decltype(own<X>())::type>;
};

/// May a literal of type `X` take on dtype `T` without losing its meaning?
template <class X, class T>
concept FollowsDtype = !std::floating_point<X> || !is_dtype<T> || InexactType<T>;

}  // namespace tenon
