#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include <tenon/core/language/text.hpp>

namespace tenon::internal {

/// The maximum rank of a tensor.
inline constexpr int max_rank = 8;

/// The size of an axis that is known only at run time.
inline constexpr std::int64_t dynamic = -1;

inline constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

}  // namespace tenon::internal

namespace tenon {

/// One axis of a shape: `28`, `batch`, `batch=32`, `batch=1..64`, `_` or an expression as `n+1`.
struct Axis {
  internal::FixedText name{};        ///< "" where the axis is anonymous.
  internal::FixedText expression{};  ///< Normal form of an axis given by an expression, else "".
  std::int64_t size = internal::dynamic;  ///< The static size, or `dynamic`.
  std::int64_t lower = 0;                 ///< Bounds of a run-time size, both inclusive.
  std::int64_t upper = internal::unbounded;

  constexpr bool is_static() const { return size != internal::dynamic; }
  constexpr bool is_named() const { return !name.empty(); }
  constexpr bool is_one() const { return size == 1; }

  friend constexpr bool operator==(Axis const&, Axis const&) = default;
};

/// The axes of a tensor, as a value: shapes can be compared, printed and computed with.
struct Shape {
  std::array<Axis, internal::max_rank> axes{};
  int rank = 0;

  constexpr Axis const& operator[](int i) const { return axes[static_cast<std::size_t>(i)]; }
  constexpr Axis& operator[](int i) { return axes[static_cast<std::size_t>(i)]; }
  constexpr Axis const* begin() const { return axes.data(); }
  constexpr Axis const* end() const { return axes.data() + rank; }

  constexpr bool is_static() const {
    for (Axis const& axis : *this) {
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

constexpr Sizes ones() { return {1, 1, 1, 1, 1, 1, 1, 1}; }

}  // namespace tenon::internal

namespace tenon {

using internal::ones;

}  // namespace tenon
