#pragma once

#include <algorithm>

#include <tenon/eval/access.hpp>

/// How the elements of a recipe lie, row-major or not, and along which lines.
namespace tenon::source {

/// Does a device walk along lines, as a processor does? One that says nothing does not.
template <class D>
bool walks_lines() {
  if constexpr (requires { D::walks_lines(); }) return D::walks_lines();
  else return false;
}

/// True if a line is long enough for a separate loop and there are enough lines for all cores.
inline bool has_long_lines(Sizes const& sizes, int rank) {
  if (rank == 0) return false;
  std::int64_t const line = sizes[static_cast<std::size_t>(rank - 1)];
  return line >= 8 && count(sizes, rank) / line >= 64;
}

/// Do such steps lead to elements as they lie row-major?
inline bool lies_row_major(Sizes const& steps, Sizes const& sizes, int rank) {
  Sizes const expected = row_major(sizes, rank);
  return std::equal(steps.begin(), steps.begin() + rank, expected.begin());
}

}  // namespace tenon::source
