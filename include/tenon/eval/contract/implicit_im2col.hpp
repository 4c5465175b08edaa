#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/labelled.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

/// The offsets of the elements along one side of a matrix that several labels make up: the offset
/// from the first element, and the number of evenly spaced elements from there on.
class Im2colOffsets {
 public:
  Im2colOffsets(LoopLabels const& labels, std::int64_t LoopLabel::*steps);

  std::int64_t operator[](std::int64_t i) const { return *from(i); }
  std::int64_t const* from(std::int64_t i) const { return table_.as<std::int64_t const>() + i; }
  /// The number of contiguous elements from element i on.
  std::int64_t run_of(std::int64_t i) const { return step_ == 1 ? even_run_of(i) : 1; }
  /// The number of elements from element i on, each `step` after the other.
  std::int64_t even_run_of(std::int64_t i) const { return (*this)[count_ + i]; }
  /// The step of the innermost label; 1 where there is none.
  std::int64_t step() const { return step_; }

  /// Whether `count` offsets from `first` on are evenly spaced.
  bool is_even(std::int64_t first, std::int64_t count) const;

 private:
  std::int64_t count_, step_;
  SharedBuffer table_;
};

/// The operands of a matmul whose rows, columns or steps are several labels each, as those of a
/// convolution (implicit im2col): the windows of an image have no strides as a matrix.
struct Im2col {
  Im2colOffsets rows, left_steps, right_steps, columns;
  Im2colOffsets result_rows, result_columns;
};

/// A contraction with the labels of a side merged: if the result `has_parts` as many as have one
/// stride in it, otherwise more.
SortedLabels scattered(SortedLabels const& labels, bool has_parts);

/// Whether a contraction is faster as implicit im2col. It is not where every side has one label, or
/// where there is little work.
bool im2col_is_faster(SortedLabels const& labels);

Im2col im2col_operands(SortedLabels const& parts);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME Im2colOffsets::Im2colOffsets(LoopLabels const& labels, std::int64_t LoopLabel::*steps)
    : count_(labels.count()),
      step_(labels.size > 0 ? labels[labels.size - 1].*steps : 1),
      table_(2 * sizeof(std::int64_t) * static_cast<std::size_t>(count_)) {
  auto *const at = table_.as<std::int64_t>(), *const runs = at + count_;
  if (count_ == 0) return;
  at[0] = 0;
  for (std::int64_t i = labels.size - 1, all = 1; i >= 0; --i) {
    LoopLabel const& label = labels[static_cast<int>(i)];
    for (std::int64_t j = all; j < all * label.extent; ++j) at[j] = at[j - all] + label.*steps;
    all *= label.extent;
  }
  for (std::int64_t i = count_; i-- > 0;)
    runs[i] = i + 1 < count_ && at[i + 1] == at[i] + step_ ? runs[i + 1] + 1 : 1;
}

TENON_RUNTIME bool Im2colOffsets::is_even(std::int64_t first, std::int64_t count) const {
  for (std::int64_t i = first + 2; i < first + count; ++i)
    if ((*this)[i] - (*this)[i - 1] != (*this)[first + 1] - (*this)[first]) return false;
  return true;
}

/// Labels that walk the result as one label would are merged, and others while there are fewer than
/// `enough` elements; those further out go to `rest`.
TENON_RUNTIME LoopLabels inner_part(LoopLabels const& labels, LoopLabels& rest,
                                    std::int64_t enough) {
  LoopLabels const all = nested(labels, &LoopLabel::c);
  int first = all.size;
  for (std::int64_t count = 1; first > 0; count *= all[--first].extent) {
    bool const is_even = first == all.size || all[first - 1].c == all[first].c * all[first].extent;
    if (!is_even && count >= enough) break;
  }
  LoopLabels inner;
  for (int i = 0; i < all.size; ++i) (i < first ? rest : inner).add(all[i]);
  return inner;
}

/// The strides of the operand whose elements are read more than once, as those of windows are.
inline std::int64_t LoopLabel::*window_steps(SortedLabels const& labels) {
  LoopLabels columns = labels.columns;
  for (int i = 0; i < labels.summed.size; ++i) columns.add(labels.summed[i]);
  return is_apart(columns, &LoopLabel::b) ? &LoopLabel::a : &LoopLabel::b;
}

/// The terms of sums are in the order of the windows' memory: what one block of terms reads stays
/// in the L1 cache. (5 x 5 of 32 channels with AVX2, Zen 2: 0.68 of the rate of multiply-adds with
/// the channels innermost, and 0.85.)
TENON_RUNTIME SortedLabels scattered(SortedLabels const& labels, bool has_parts) {
  SortedLabels parts = labels;
  parts.rows =
      has_parts ? inner_part(labels.rows, parts.batch, 0) : nested(labels.rows, &LoopLabel::a);
  parts.columns = inner_part(labels.columns, parts.batch, has_parts ? 0 : 512);
  parts.summed = nested(labels.summed, window_steps(labels));
  return parts;
}

TENON_RUNTIME bool im2col_is_faster(SortedLabels const& labels) {
  constexpr std::int64_t large = std::int64_t{1} << 19;  // multiply-adds: 16 µs
  constexpr std::int64_t each = std::int64_t{1} << 13;   // of one of several matmuls
  bool const several = labels.rows.size > 1 || labels.columns.size > 1 || labels.summed.size > 1;
  bool const whole = labels.rows.size > 0 && labels.summed.size > 0 && labels.columns.has_unit();
  std::int64_t const work = labels.rows.count() * labels.columns.count() * labels.summed.count();
  return several && whole && work >= each && work * labels.batch.count() >= large;
}

TENON_RUNTIME Im2col im2col_operands(SortedLabels const& parts) {
  return {{parts.rows, &LoopLabel::a},   {parts.summed, &LoopLabel::a},
          {parts.summed, &LoopLabel::b}, {parts.columns, &LoopLabel::b},
          {parts.rows, &LoopLabel::c},   {parts.columns, &LoopLabel::c}};
}

}  // namespace tenon::internal

#endif
