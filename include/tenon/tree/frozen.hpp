#pragma once

#include <type_traits>
#include <utility>

#include <tenon/core/call.hpp>

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
