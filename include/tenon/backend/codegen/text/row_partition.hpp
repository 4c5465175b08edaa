#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/backend/codegen/text/functions.hpp>
#include <tenon/core/config.hpp>

/// The partition of long rows: reductions in lanes, and in chunks.
namespace tenon::internal::codegen {

/// Lanes reduce strided elements each, and are then combined in a fixed tree: results are
/// deterministic.
struct Cut {
  int lanes = 0;             ///< 0: elements are reduced sequentially.
  bool has_members = false;  ///< Whether a lane is a work item; otherwise an array element.
  std::int64_t pieces = 1;   ///< Of each row, each with separate kernels for its reductions.
  /// Whether a reduction over columns is partitioned: neighbouring work items have neighbouring
  /// columns, and each reduces one of `pieces` interleaved parts of its column.
  bool is_of_columns = false;

  /// The most elements that a lane reduces sequentially, if the order matters.
  static constexpr int most_in_lane = 64;
  int block() const { return lanes * most_in_lane; }
};

/// The number of tiles along a length.
constexpr std::int64_t tiles_along(std::int64_t length, std::int64_t tile) {
  return (length + tile - 1) / tile;
}

/// More groups than this loop over rows.
inline constexpr std::int64_t most_groups = 1 << 16;

/// The number of chunks that saturates a large device, or the cores of a CPU; shorter chunks cost
/// more to combine than they save.
inline std::int64_t pieces_for(bool is_processor, std::int64_t rows, std::int64_t length) {
  std::int64_t const enough = is_processor ? 64 : 512, shortest = is_processor ? 16384 : 4096;
  return std::max<std::int64_t>(1, (std::min)(enough / rows, length / shortest));
}

/// Whether the device has work groups.
inline bool has_groups(Functions const& functions) {
  return !functions.is_processor && !functions.dialect().group_kernel.empty();
}

/// The partition for columns of `length` elements. Enough pieces for a large device; many pieces of
/// few columns are combined by groups.
inline Cut cut_for_columns(Functions const& functions, std::int64_t columns, std::int64_t length) {
  Cut cut;
  if (!functions.are_for_device || functions.is_processor || columns == 0) return cut;
  constexpr std::int64_t enough = 1 << 18, shortest = Cut::most_in_lane;
  std::int64_t const most = has_groups(functions) ? 1 << 12 : Cut::most_in_lane;
  cut.lanes = 1;
  cut.is_of_columns = true;
  cut.pieces = std::max<std::int64_t>(1, (std::min)({enough / columns, length / shortest, most}));
  return cut;
}

/// The partition for rows whose longest reduction has `length` elements.
inline Cut cut_for(Functions const& functions, std::int64_t rows, std::int64_t length) {
  Cut cut;
  if (rows == 0) return cut;
  if (functions.is_processor) {
    cut.lanes = length >= 256 ? 64 : 0;
  } else if (length >= 64 && has_groups(functions)) {
    cut.has_members = true;
    for (cut.lanes = 32; cut.lanes < 256 && cut.lanes * 4 < length;) cut.lanes *= 2;
  }
  if (functions.are_for_device && cut.lanes > 0)
    cut.pieces = pieces_for(functions.is_processor, rows, length);
  return cut;
}

}  // namespace tenon::internal::codegen
