#pragma once

#include <algorithm>
#include <initializer_list>
#include <type_traits>

#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal {

/// A 16-bit or 8-bit floating number in braces, or a number that converts to one:
/// `BFloat16<"2">{1, 2.5f}`.
template <class T>
struct NarrowInBraces {
  T value;

  constexpr NarrowInBraces(T number) : value(number) {}
  template <class U>
    requires std::is_arithmetic_v<U>
  constexpr NarrowInBraces(U number) : value(number) {}

  constexpr operator T() const { return value; }
};

/// Nested braces, `Rank` deep: `{{1, 2}, {3, 4}}`.
template <class T, int Rank>
struct NestedList {
  using type = std::initializer_list<typename NestedList<T, Rank - 1>::type>;
};
template <class T>
struct NestedList<T, 0> {
  using type = std::conditional_t<NarrowType<T>, NarrowInBraces<T>, T>;
};
/// One number in braces.
template <class T>
using InBraces = typename NestedList<T, 0>::type;
template <class T, int Rank>
using Nested = typename NestedList<T, Rank>::type;

/// The sizes of nested braces, from the first list of each level.
template <class T, int Rank>
constexpr void read_sizes(Nested<T, Rank> const& list, Sizes& sizes, int axis) {
  if constexpr (Rank > 0) {
    at(sizes, axis) = static_cast<std::int64_t>(list.size());
    if (list.size() > 0) read_sizes<T, Rank - 1>(*list.begin(), sizes, axis + 1);
    else
      for (int i = axis + 1; i < axis + Rank; ++i) at(sizes, i) = 0;
  }
}

/// Copies the elements in row-major order; throws `ShapeError` where the braces are ragged.
template <class T, int Rank>
constexpr T* read_elements(Nested<T, Rank> const& list, Sizes const& sizes, int axis, T* to) {
  if constexpr (Rank == 0) {
    *to = list;
    return to + 1;
  } else {
    if (static_cast<std::int64_t>(list.size()) != at(sizes, axis))
      refuse_count("the braces are ragged: ", at(sizes, axis), "entries", list.size());
    for (auto const& entry : list) to = read_elements<T, Rank - 1>(entry, sizes, axis + 1, to);
    return to;
  }
}

}  // namespace tenon::internal
