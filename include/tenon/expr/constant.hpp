#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/expression.hpp>

namespace tenon::internal {

/// A C++ number in an expression: it takes on the dtype and the device of the tensors. (Beside a
/// 16-bit tensor it stays a `float`, as do all computed values there.)
template <class T>
struct ConstantNode : ExpressionNode<ConstantNode<T>> {
  using value_type = T;
  using device = AnyDevice;
  static constexpr Shape shape{};

  Computed<T> value{};

  constexpr ConstantNode() = default;
  constexpr explicit ConstantNode(Computed<T> number) : value(number) {}

  static constexpr Sizes sizes() { return unit_sizes(); }
};

template <class E>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<ConstantNode<T>> = true;

/// Types that may be combined with a tensor in an expression.
template <class X>
concept LiteralNumber = std::is_arithmetic_v<std::remove_cvref_t<X>> ||
                        (is_dtype<std::remove_cvref_t<X>> && !Expression<X>);

template <class X>
concept MapOperand = Operand<X> || LiteralNumber<X>;

/// The dtype of a literal without a tensor: its own type, but `float` for floating ones.
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

/// Whether a literal of type `X` may take on dtype `T`: a floating one requires a floating dtype.
template <class X, class T>
concept FollowsDtype = !std::floating_point<X> || !is_dtype<T> || InexactType<T>;

/// Whether the number is an integer in the range of dtype `T`.
template <IntegerType T, class X>
constexpr bool is_in_range(X number) {
  if constexpr (std::floating_point<X>) {
    constexpr X limit = X(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1)) * X(2);
    bool const within = number < limit && number >= (IntType<T> ? -limit : X(0));
    return within && static_cast<X>(static_cast<T>(number)) == number;
  } else {
    return std::in_range<T>(+number);  // promoted: std::in_range does not accept `bool` and `char`
  }
}

template <class T, class X>
[[noreturn, gnu::cold, gnu::noinline]] void number_is_outside(std::string_view who, X number) {
  std::string const expected = "a number that " + std::string(dtype_name<T>) + " holds";
  fail<ValueError>({who, {}, expected, std::to_string(number), {}});
}

/// Throws `ValueError` if a C++ number is outside the range of an integer dtype. NumPy raises
/// `OverflowError`.
template <class T, class X>
constexpr void check_number(std::string_view who, X const& number) {
  if constexpr (IntegerType<T> && std::is_arithmetic_v<X>)
    if (!is_in_range<T>(number)) number_is_outside<T>(who, number);
}

}  // namespace tenon::internal
