#pragma once

#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/tensor/memory.hpp>

/// Short rows that are computed as parts of longer ones.
namespace tenon::internal {

/// Rows of fewer elements are joined, if the result is not small.
inline constexpr std::int64_t shortest_row = 128, shortest_joined = 4096;

/// Makes one row of a number of short ones. All rows read the same elements of an operand that
/// broadcasts, such as a bias of 7: these are copied as often as there are rows in the longer one.
/// The copies stay in the innermost cache; the result is their memory.
SharedBuffer join_short_rows(RowLayout& layout, Accesses const& accesses);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstring>

namespace tenon::internal {

/// Whether an access walks over all rows as if they were one.
TENON_RUNTIME bool walks_over_rows(MemoryAccess const& a, std::int64_t row) {
  return at(a.stride, 0) == at(a.row, 0) * row;
}

TENON_RUNTIME bool may_join_rows(RowLayout const& layout, Accesses const& accesses) {
  std::int64_t const row = layout.row.inner();
  if (layout.has_reductions || layout.has_scalar_rows || layout.outer_rank != 1 ||
      layout.row.rank != 1 || row >= shortest_row || row * layout.rows() < shortest_joined)
    return false;
  return accesses.all([&](MemoryAccess& a) {
    return a.gathered == 0 && a.depth == Sizes{} &&
           (walks_over_rows(a, row) || at(a.stride, 0) == 0);
  });
}

/// Copies the row of an access `count` times.
TENON_RUNTIME void repeat_row(MemoryAccess& a, std::int64_t row, std::int64_t count,
                              std::byte* to) {
  auto const bytes = static_cast<std::size_t>(a.element_bytes);
  for (std::int64_t i = 0; i < row; ++i)
    std::memcpy(to + i * a.element_bytes, a.data + (a.start + i * at(a.row, 0)) * a.element_bytes,
                bytes);
  std::size_t const all = static_cast<std::size_t>(row * count) * bytes;
  for (std::size_t done = static_cast<std::size_t>(row) * bytes; done < all; done *= 2)
    std::memcpy(to + done, to, (std::min)(done, all - done));
  a.data = to;
  a.start = 0;
  a.count = row * count;
  a.inner = at(a.row, 0) = 1;
}

/// (A multiple of 16 rows ends at a whole vector.)
[[gnu::noinline]] TENON_RUNTIME SharedBuffer join_short_rows(RowLayout& layout,
                                                             Accesses const& accesses) {
  if (!may_join_rows(layout, accesses)) return {};
  std::int64_t const row = layout.row.inner();
  std::int64_t const count = 16 * (1024 / (16 * row) + 1);
  std::int64_t bytes = 0;
  accesses.each([&](MemoryAccess& a) {
    if (!walks_over_rows(a, row)) bytes += (row * count * a.element_bytes + 63) / 64 * 64;
  });
  SharedBuffer copies(static_cast<std::size_t>(bytes));
  auto* to = copies.as<std::byte>();
  accesses.each([&](MemoryAccess& a) {
    at(a.stride, 0) *= count;
    if (walks_over_rows(a, row * count)) return;
    repeat_row(a, row, count, to);
    to += (row * count * a.element_bytes + 63) / 64 * 64;
  });
  layout.join_rows(count);
  return copies;
}

}  // namespace tenon::internal

#endif
