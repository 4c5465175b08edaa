#pragma once

#include <algorithm>

#include <tenon/eval/access.hpp>

/// The memory order of an expression's elements, and the axis along which it is iterated.
namespace tenon::internal::codegen {

/// Whether a device iterates along an axis, as a CPU does; false by default.
template <class D>
bool loops_along_axis() {
  if constexpr (requires { D::loops_along_axis(); }) return D::loops_along_axis();
  else return false;
}

/// True if an axis is long enough for a separate loop and there are enough rows for all cores.
inline bool has_long_axis(Sizes const& sizes, int rank) {
  if (rank == 0) return false;
  std::int64_t const line = sizes[static_cast<std::size_t>(rank - 1)];
  return line >= 8 && count(sizes, rank) / line >= 64;
}

/// Whether strides are row-major.
inline bool is_row_major(Sizes const& steps, Sizes const& sizes, int rank) {
  Sizes const expected = row_major(sizes, rank);
  return std::equal(steps.begin(), steps.begin() + rank, expected.begin());
}

}  // namespace tenon::internal::codegen
