#pragma once

#include <type_traits>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tree/constant.hpp>

namespace tenon {

/// A part of a model that is not learned: it has no gradient, no optimiser changes it, but it is
/// saved in checkpoints. `*frozen` is the value; a frozen layer is called as the layer is. PyTorch:
/// `requires_grad_(False)`.
template <class T>
struct Frozen {
  T value{};

  constexpr Frozen() = default;
  constexpr Frozen(T frozen) : value(std::move(frozen)) {}

  constexpr operator T const&() const { return value; }
  constexpr T const& operator*() const { return value; }
  constexpr T const* operator->() const { return &value; }

  template <class... Arguments>
    requires internal::CallableWith<T const&, Arguments...>
  constexpr decltype(auto) operator()(Arguments&&... arguments) const {
    return value(std::forward<Arguments>(arguments)...);
  }

  friend constexpr bool operator==(Frozen const&, Frozen const&) = default;
};

}  // namespace tenon

namespace tenon::internal {

template <class T>
inline constexpr bool is_frozen = false;
template <class T>
inline constexpr bool is_frozen<Frozen<T>> = true;

}  // namespace tenon::internal

namespace tenon::internal::tree {

/// The leaves of a tree. Specialise it to make a user type a leaf.
template <class T>
struct is_leaf : std::false_type {};
template <class T, Spec S, class D>
struct is_leaf<Tensor<T, S, D>> : std::true_type {};

/// Whether a leaf has a gradient. A tensor has one if its dtype is floating or complex.
template <class T>
struct is_differentiable : is_leaf<T> {};
template <class T, Spec S, class D>
struct is_differentiable<Tensor<T, S, D>>
    : std::bool_constant<is_any_of<T, DtypeCategory::floating, DtypeCategory::complex>> {};

/// A number, or another dtype: saved in checkpoints, but not learned.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_dtype<T>;

/// Traversal of parameters: differentiable leaves outside of `Frozen`. All else is copied.
struct Learned {
  template <class T>
  static constexpr bool visits = is_differentiable<T>::value;
  static constexpr bool opens_frozen = false;
};

/// The same for a random key: a resumed run continues its sequence of random numbers.
template <class T>
inline constexpr bool is_key = std::is_same_v<T, Key>;

/// Traversal of all that is saved: every leaf, number and key, also within `Frozen`.
struct Stored {
  template <class T>
  static constexpr bool visits = is_leaf<T>::value || is_number<T> || is_key<T>;
  static constexpr bool opens_frozen = true;
};

}  // namespace tenon::internal::tree
