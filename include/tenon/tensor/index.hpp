#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// Position of an element, one entry for each axis; entries past the rank are 0.
using ElementIndex = std::array<std::int64_t, max_rank>;

constexpr std::int64_t at(Sizes const& sizes, int axis) {
  return sizes[static_cast<std::size_t>(axis)];
}

constexpr std::int64_t& at(Sizes& sizes, int axis) { return sizes[static_cast<std::size_t>(axis)]; }

/// Loops over axes. Compilers unroll them eight times wherever they are inlined: useful where the
/// rank is a constant; elsewhere one copy serves a whole program.
namespace axes {

struct Count {
  TENON_INLINE static constexpr std::int64_t run(Sizes const& sizes, int rank) {
    std::int64_t product = 1;
    for (int i = 0; i < rank; ++i) product *= at(sizes, i);
    return product;
  }
  static std::int64_t apart(Sizes const& sizes, int rank);
};

struct RowMajor {
  TENON_INLINE static constexpr Sizes run(Sizes const& sizes, int rank) {
    Sizes strides{};
    std::int64_t step = 1;
    for (int i = rank - 1; i >= 0; --i) {
      at(strides, i) = step;
      step *= at(sizes, i);
    }
    return strides;
  }
  static Sizes apart(Sizes const& sizes, int rank);
};

struct Offset {
  TENON_INLINE static constexpr std::int64_t run(Sizes const& strides, ElementIndex const& index,
                                                 int rank) {
    std::int64_t sum = 0;
    for (int i = 0; i < rank; ++i) sum += at(strides, i) * at(index, i);
    return sum;
  }
  static std::int64_t apart(Sizes const& strides, ElementIndex const& index, int rank);
};

struct Next {
  TENON_INLINE static constexpr bool run(ElementIndex& index, Sizes const& sizes, int rank) {
    for (int i = rank - 1; i >= 0; --i) {
      if (++at(index, i) < at(sizes, i)) return true;
      at(index, i) = 0;
    }
    return false;
  }
  static bool apart(ElementIndex& index, Sizes const& sizes, int rank);
};

template <class Loop, class... A>
TENON_INLINE constexpr auto run(int rank, A&... a) {
  if (__builtin_is_constant_evaluated() || __builtin_constant_p(rank)) return Loop::run(a..., rank);
  return Loop::apart(a..., rank);
}

}  // namespace axes

/// Number of elements of `rank` axes.
constexpr std::int64_t count(Sizes const& sizes, int rank) {
  return axes::run<axes::Count>(rank, sizes);
}

/// Strides, in elements, of a row-major tensor.
constexpr Sizes row_major(Sizes const& sizes, int rank) {
  return axes::run<axes::RowMajor>(rank, sizes);
}

constexpr std::int64_t offset(Sizes const& strides, ElementIndex const& index, int rank) {
  return axes::run<axes::Offset>(rank, strides, index);
}

/// Advances to the next position in row-major order; false after the last.
constexpr bool next(ElementIndex& index, Sizes const& sizes, int rank) {
  return axes::run<axes::Next>(rank, index, sizes);
}

/// Throws `IndexError` for an index of an element along an axis of `size`.
[[noreturn, gnu::cold]] void refuse_index(int axis, std::int64_t size, std::int64_t index);

/// Throws `ShapeError` where a tensor is made from another number of elements, entries or sizes;
/// `of` is what is counted.
[[noreturn, gnu::cold]] void refuse_count(std::string_view where, std::int64_t expected,
                                          std::string_view of, std::size_t got);

/// The position of the `linear`-th element in row-major order.
[[gnu::noinline]] constexpr ElementIndex unravel(std::int64_t linear, Sizes const& sizes,
                                                 int rank) {
  ElementIndex index{};
  for (int i = rank - 1; i >= 0; --i) {
    at(index, i) = linear % at(sizes, i);
    linear /= at(sizes, i);
  }
  return index;
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::axes {

[[gnu::noinline]] TENON_RUNTIME std::int64_t Count::apart(Sizes const& sizes, int rank) {
  return run(sizes, rank);
}
[[gnu::noinline]] TENON_RUNTIME Sizes RowMajor::apart(Sizes const& sizes, int rank) {
  return run(sizes, rank);
}
[[gnu::noinline]] TENON_RUNTIME std::int64_t Offset::apart(Sizes const& strides,
                                                           ElementIndex const& index, int rank) {
  return run(strides, index, rank);
}
[[gnu::noinline]] TENON_RUNTIME bool Next::apart(ElementIndex& index, Sizes const& sizes,
                                                 int rank) {
  return run(index, sizes, rank);
}

}  // namespace tenon::internal::axes

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_index(int axis, std::int64_t size,
                                                                       std::int64_t index) {
  throw IndexError(
      concatenate({"tenon::element: axis ", decimal(axis), ": expected an index below ",
                   decimal(size), ", got ", decimal(index)}));
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_count(std::string_view where,
                                                                       std::int64_t expected,
                                                                       std::string_view of,
                                                                       std::size_t got) {
  throw ShapeError(concatenate({"tenon::Tensor: ", where, "expected ", decimal(expected), " ", of,
                                ", got ", decimal(static_cast<std::int64_t>(got))}));
}

}  // namespace tenon::internal

#endif
