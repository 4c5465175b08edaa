#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/tensor/memory.hpp>

/// Static sizes beside run-time ones: one implementation of an algorithm serves both, unrolled and
/// without heap memory where the sizes are constants.
namespace tenon::internal {

/// A compile-time number; it converts to `std::int64_t`.
template <std::int64_t n>
using Known = std::integral_constant<std::int64_t, n>;

template <class N>
inline constexpr bool is_known = false;
template <std::int64_t n>
inline constexpr bool is_known<Known<n>> = true;

constexpr std::int64_t product_of(std::int64_t a, std::int64_t b) { return a * b; }
template <std::int64_t a, std::int64_t b>
constexpr Known<a * b> product_of(Known<a>, Known<b>) {
  return {};
}

constexpr std::int64_t sum_of(std::int64_t a, std::int64_t b) { return a + b; }
template <std::int64_t a, std::int64_t b>
constexpr Known<a + b> sum_of(Known<a>, Known<b>) {
  return {};
}

constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
template <std::int64_t a, std::int64_t b>
constexpr Known<(a < b ? a : b)> smaller(Known<a>, Known<b>) {
  return {};
}

/// Working memory, uninitialised: of a static size on the stack, else from the block cache.
template <class T, class N = std::int64_t>
class Workspace {
 public:
  explicit Workspace(std::int64_t count) : buffer_(static_cast<std::size_t>(count) * sizeof(T)) {}
  T* data() const { return buffer_.as<T>(); }

 private:
  SharedBuffer buffer_;
};
template <class T, std::int64_t n>
class Workspace<T, Known<n>> {
 public:
  explicit Workspace(Known<n>) {}
  T* data() { return elements_; }

 private:
  T elements_[std::size_t{n > 0 ? n : 1}];
};
template <class T, class N>
Workspace<T, N> workspace(N count) {
  return Workspace<T, N>(count);
}

}  // namespace tenon::internal
