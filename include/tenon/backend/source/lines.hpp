#pragma once

#include <algorithm>

#include <tenon/eval/access.hpp>

/// How the elements of a recipe lie, row-major or not, and along which lines.
namespace tenon::source {

/// Is a line worth a loop of its own, and are there enough of them for all cores?
template <class E>
bool has_long_lines(E const& e) {
  if constexpr (E::shape.rank == 0) return false;
  else {
    std::int64_t const line = e.sizes()[static_cast<std::size_t>(E::shape.rank - 1)];
    return line >= 8 && count(e.sizes(), E::shape.rank) / line >= 64;
  }
}

/// Do such steps lead to the elements of a recipe as they lie row-major?
template <class E>
bool lies_row_major(Sizes const& steps, E const& e) {
  Sizes const expected = row_major(e.sizes(), E::shape.rank);
  return std::equal(steps.begin(), steps.begin() + E::shape.rank, expected.begin());
}

/// Memory as a recipe's elements lie in it row-major.
template <class T, class E>
MemoryAccess access_at(T const* memory, E const& e) {
  MemoryAccess access{};
  access.data = reinterpret_cast<std::byte const*>(memory);
  access.stride = row_major(e.sizes(), E::shape.rank);
  return access;
}

}  // namespace tenon::source
