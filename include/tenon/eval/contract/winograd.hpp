#pragma once

#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/labelled.hpp>

/// Convolutions with kernels of 3 x 3 by Winograd's minimal filtering F(4 x 4, 3 x 3): 36
/// multiplications for 16 results instead of 144 (A. Lavin and S. Gray, arXiv 1509.09308).
namespace tenon::internal {

/// A contraction as such a convolution, by its labels. The kernel slides along `row` and `column`;
/// for the other labels of the left operand and the result, `batch`, it is the same.
struct WinogradProduct {
  static constexpr std::int64_t outputs = 4;  ///< Of a tile, along each of both axes.

  LoopLabel row = LoopLabel::one(), column = LoopLabel::one();
  LoopLabel channel = LoopLabel::one(), out = LoopLabel::one();
  LoopLabels batch;
  std::int64_t kernel_row = 0, kernel_column = 0;  ///< The kernel's strides; negative if reversed.
  LoopLabel start = LoopLabel::one();              ///< The offsets of both operands.
  bool applies = false;  ///< Whether the contraction is one: else nothing else is set.

  explicit WinogradProduct(LoopLabels const& labels);

  std::int64_t tile_rows() const { return (row.extent + outputs - 1) / outputs; }
  std::int64_t tile_columns() const { return (column.extent + outputs - 1) / outputs; }
  std::int64_t tiles() const { return batch.count() * tile_rows() * tile_columns(); }

  /// Whether it is faster than the sums of the definition; by sizes alone.
  bool is_faster() const;

 private:
  /// Adds a label inside the windows: that of the positions with the same stride becomes an axis.
  bool add_window(LoopLabel const& inside, LoopLabels& positions, int number);
  bool add_other(LoopLabel const& label);
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <cstdlib>
#include <utility>

namespace tenon::internal {

/// The longest of some labels whose stride in the left operand has this size; -1 if there is none.
inline int label_with_stride(LoopLabels const& labels, std::int64_t stride) {
  int found = -1;
  for (int i = 0; i < labels.size; ++i)
    if (labels[i].a == stride && (found < 0 || labels[i].extent > labels[found].extent)) found = i;
  return found;
}

TENON_RUNTIME bool WinogradProduct::add_window(LoopLabel const& inside, LoopLabels& positions,
                                               int number) {
  if (number > 1) return false;
  bool const reverses = label_with_stride(positions, inside.a) < 0;
  int const found = label_with_stride(positions, reverses ? -inside.a : inside.a);
  if (found < 0) return false;
  (number == 0 ? row : column) = positions.take(found);
  (number == 0 ? kernel_row : kernel_column) = reverses ? -inside.b : inside.b;
  if (reverses) start.a += 2 * inside.a, start.b += 2 * inside.b;
  return true;
}

TENON_RUNTIME bool WinogradProduct::add_other(LoopLabel const& label) {
  if (label.extent == 1) return true;
  LoopLabel& place = label.c == 0 ? channel : out;
  bool const is_free = place.extent == 1;
  place = label;
  return is_free && label.b != 0 && (label.a == 0) != (label.c == 0);
}

TENON_RUNTIME WinogradProduct::WinogradProduct(LoopLabels const& labels) {
  LoopLabels positions, others;
  for (int i = 0; i < labels.size; ++i) {
    if (labels[i].extent == 0) return;
    (labels[i].b == 0 && labels[i].a != 0 && labels[i].c != 0 ? positions : others).add(labels[i]);
  }
  int windows = 0;
  for (int i = 0; i < others.size; ++i) {
    LoopLabel const& label = others[i];
    bool const is_window =
        label.extent == 3 && label.c == 0 && label.b != 0 && label.a != 0 &&
        (label_with_stride(positions, label.a) >= 0 || label_with_stride(positions, -label.a) >= 0);
    if (!(is_window ? add_window(label, positions, windows++) : add_other(label))) return;
  }
  if (std::abs(column.a) > std::abs(row.a)) {
    std::swap(row, column);
    std::swap(kernel_row, kernel_column);
  }
  batch = positions;
  applies = windows == 2;
}

TENON_RUNTIME bool WinogradProduct::is_faster() const {
  constexpr std::int64_t few = 16, many = 32;
  std::int64_t const channels = channel.extent, outs = out.extent;
  bool const is_large = channels >= few && outs >= few && channels * outs >= many * many;
  return applies && is_large && tiles() >= many &&
         8 * batch.count() * row.extent * column.extent >= 5 * outputs * outputs * tiles();
}

}  // namespace tenon::internal

#endif
