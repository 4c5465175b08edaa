#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/language/text.hpp>

namespace tenon {

/// A string as a template argument: `Tensor<float, "batch pixel=784">`.
/// `N` counts the terminating zero. g++ and clang print it as `Spec<16>{"batch pixel=784"}`.
template <std::size_t N>
struct Spec {
  char text[N]{};

  constexpr Spec() = default;
  constexpr Spec(char const (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  /// The zeros are written too: otherwise clang 16 prints a text of 8, 16 or 32 characters as
  /// numbers.
  explicit constexpr Spec(std::string_view source) {
    for (std::size_t i = 0; i < N; ++i) text[i] = i + 1 < N ? source[i] : '\0';
  }

  constexpr std::string_view view() const { return {text, N - 1}; }
  constexpr operator std::string_view() const { return view(); }
};

}  // namespace tenon

/// The types that compilers name in messages: declared, never defined. (The everyday word `error`
/// is left to users: `using namespace tenon` brings the names of nested namespaces too.)
namespace tenon::compile_error {}

namespace tenon::internal {

namespace error = compile_error;

/// Whether two texts are equal.
template <std::size_t N, std::size_t M>
constexpr bool operator==(Spec<N> const& a, Spec<M> const& b) {
  return a.view() == b.view();
}

}  // namespace tenon::internal

namespace tenon {

using internal::operator==;

}  // namespace tenon

namespace tenon::internal {

/// The maximum rank of a tensor.
inline constexpr int max_rank = 8;

/// The size of an axis that is known only at run time.
inline constexpr std::int64_t dynamic = -1;

inline constexpr std::int64_t unbounded = (std::numeric_limits<std::int64_t>::max)();

/// One axis of a shape: `28`, `batch`, `batch=32`, `batch=1..64`, `t=t-1`, `t=_`, `_` or `n+1`.
struct Axis {
  FixedText name{};             ///< "" where the axis is anonymous.
  FixedText expression{};       ///< Normal form of a computed size, "_" of `t=_`, else "".
  std::int64_t size = dynamic;  ///< The static size, or `dynamic`.
  std::int64_t lower = 0;       ///< Bounds of a run-time size, both inclusive.
  std::int64_t upper = unbounded;

  constexpr bool is_static() const { return size != dynamic; }
  constexpr bool is_named() const { return !name.empty(); }
  constexpr bool is_one() const { return size == 1; }
  /// `t=_`: known at run time, without a relation to other sizes.
  constexpr bool is_unrelated() const { return expression.view() == "_"; }
  /// `n+1`, `t=t-1`: computed from names.
  constexpr bool is_computed() const { return !expression.empty() && !is_unrelated(); }
  /// `t`, `t=1..64`: the name is also that of the size.
  constexpr bool is_bare() const { return is_named() && !is_static() && expression.empty(); }
  /// Whether expressions of the same shape can refer to the size by the name: that of `t` and of
  /// `t=8`, but not of `t=1`, which `keep` leaves.
  constexpr bool binds() const { return is_named() && expression.empty() && size != 1; }

  friend constexpr bool operator==(Axis const&, Axis const&) = default;
};

}  // namespace tenon::internal

namespace tenon {

/// The axes of a tensor, as a value: shapes can be compared, printed and computed with. PyTorch:
/// `torch.Size`.
struct Shape {
  std::array<internal::Axis, internal::max_rank> axes{};
  int rank = 0;

  constexpr internal::Axis const& operator[](int i) const {
    return axes[static_cast<std::size_t>(i)];
  }
  constexpr internal::Axis& operator[](int i) { return axes[static_cast<std::size_t>(i)]; }
  constexpr internal::Axis const* begin() const { return axes.data(); }
  constexpr internal::Axis const* end() const { return axes.data() + rank; }

  constexpr bool is_static() const {
    for (internal::Axis const& axis : *this) {
      if (!axis.is_static()) return false;
    }
    return true;
  }

  /// Compares the axes in use: g++ 12 leaves the others of some constants uninitialised.
  friend constexpr bool operator==(Shape const& a, Shape const& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }
};

}  // namespace tenon

namespace tenon::internal {

/// Run-time sizes in the order of the axes; entries past the rank are 1.
using Sizes = std::array<std::int64_t, max_rank>;

constexpr Sizes unit_sizes() { return {1, 1, 1, 1, 1, 1, 1, 1}; }

/// The sizes of the first axes.
template <class... I>
constexpr Sizes first_sizes(I... sizes) {
  static_assert(sizeof...(I) <= max_rank);
  Sizes result = unit_sizes();
  std::size_t axis = 0;
  ((result[axis++] = sizes), ...);
  return result;
}

}  // namespace tenon::internal
