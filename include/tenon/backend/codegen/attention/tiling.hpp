#pragma once

#include <algorithm>

#include <tenon/backend/codegen/matmul/tiling.hpp>
#include <tenon/eval/attention.hpp>

/// Tiled attention: the part that a work group computes.
namespace tenon::internal::codegen {

/// One of the kernels of attention, by its rows and its sums.
enum class AttentionPart {
  values,   ///< Rows are queries: the result.
  queries,  ///< Rows are queries: their adjoint.
  keys      ///< Rows are keys: the adjoints of keys and values.
};

/// Rows and columns of a tile of scores; the work items of a group are arranged as a square, each
/// with every `across`-th row and column. A group of one work item computes the full tile.
struct AttentionTiling {
  int rows, columns, across;
  int depth;     ///< The number of features multiplied at a time,
  int gathered;  ///< and of columns accumulated at a time.
  int slice;     ///< The number of features of a result per group, a multiple of 16.

  int members() const { return across * across; }
  bool is_alone() const { return across == 1; }
  int slices(std::int64_t width) const { return static_cast<int>(tiles_along(width, slice)); }
};

/// The largest power of two, at most `most`, not above a length.
inline int power_for(std::int64_t length, int most) {
  int power = 8;
  while (power < most && power < length) power *= 2;
  return power;
}

/// The tiling for a CPU: one work item, tiles that fit into the L2 cache.
inline AttentionTiling alone_tiling_of(std::int64_t rows, std::int64_t columns, int width,
                                       int slice) {
  int const across = power_for(columns, 64);
  return {power_for(rows, 64), across, 1, (std::min)(64, (width + 3) / 4 * 4), across, slice};
}

/// Elsewhere 256 work items have 4 x 4 scores each, or 2 x 2 if there are few tiles or elements are
/// long: 32 KiB of group memory suffice, which is the limit of Apple devices.
inline AttentionTiling tiling_of(AttentionPart part, AttentionNumbers const& numbers, int bytes,
                                 bool is_processor) {
  bool const by_keys = part == AttentionPart::keys;
  std::int64_t const rows = by_keys ? numbers.keys : numbers.queries;
  std::int64_t const columns = by_keys ? numbers.queries : numbers.keys;
  int const width = static_cast<int>(numbers.width);
  int const slice = (std::min)((width + 15) / 16 * 16, by_keys ? 128 : 256);
  if (is_processor) return alone_tiling_of(rows, columns, width, slice);
  int const tile = bytes > 4 || numbers.rows * tiles_along(rows, 64) < 128 ? 32 : 64;
  int gathered = 16;
  while (gathered > 2 && gathered * (slice + 1) > 16 * (tile + 1)) gathered /= 2;
  return {tile, tile, 16, 16, gathered, slice};
}

}  // namespace tenon::internal::codegen
