#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/call.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/random/key.hpp>

namespace tenon {

/// A field of a model that is not a parameter: neither learned, nor saved, nor moved to another
/// device, only copied with the model. Of any copyable and default-constructible type: a table, a
/// pointer, a class with constructors. `*constant` is the value. PyTorch: an attribute that is no
/// parameter.
template <class T>
struct Constant {
  T value{};

  constexpr Constant() = default;
  constexpr Constant(T constant) : value(std::move(constant)) {}

  constexpr operator T const&() const { return value; }
  constexpr T const& operator*() const { return value; }
  constexpr T const* operator->() const { return &value; }

  template <class... Arguments>
    requires internal::CallableWith<T const&, Arguments...>
  constexpr decltype(auto) operator()(Arguments&&... arguments) const {
    return value(std::forward<Arguments>(arguments)...);
  }

  friend constexpr bool operator==(Constant const& a, Constant const& b)
    requires std::equality_comparable<T>
  {
    return a.value == b.value;
  }
};

}  // namespace tenon

namespace tenon::internal {

namespace tree {

template <class T>
inline constexpr bool is_text = false;
template <class Character, class Traits, class Allocator>
inline constexpr bool is_text<std::basic_string<Character, Traits, Allocator>> = true;
template <class Character, class Traits>
inline constexpr bool is_text<std::basic_string_view<Character, Traits>> = true;

/// Durations and time points of `std::chrono`.
template <class T>
concept ChronoType = requires {
  typename T::rep;
  typename T::period;
} || requires {
  typename T::clock;
  typename T::duration;
};

/// Types without tensors: numbers, enumerations, strings, times, function pointers, and empty
/// classes (tags, lambdas without captures).
template <class T>
inline constexpr bool holds_no_tensor =
    std::is_arithmetic_v<T> || is_dtype<T> || std::is_enum_v<T> || std::is_null_pointer_v<T> ||
    std::is_member_pointer_v<T> || std::is_function_v<std::remove_pointer_t<T>> ||
    std::is_empty_v<T> || is_text<T> || ChronoType<T> || std::same_as<T, Key>;

/// Types that a traversal of a tree skips, and copies. Specialise it for a user class with
/// constructors that has nothing to be learned or saved; for one field, use `Constant<>`.
template <class T>
struct is_constant : std::bool_constant<holds_no_tensor<T>> {};
template <class T>
struct is_constant<Constant<T>> : std::true_type {};
template <class Allocator>
struct is_constant<std::vector<bool, Allocator>> : std::true_type {};

}  // namespace tree

}  // namespace tenon::internal
