#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/eval/contract/labelled.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

/// The offsets of the elements along one side of a matrix that several labels make up: the offset
/// from the first element, and the number of contiguous elements from there on.
class Im2colOffsets {
 public:
  Im2colOffsets(LoopLabels const& labels, std::int64_t LoopLabel::*steps);

  std::int64_t operator[](std::int64_t i) const { return table_.as<std::int64_t>()[i]; }
  std::int64_t run_of(std::int64_t i) const { return (*this)[count_ + i]; }

  /// Whether `count` offsets from `first` on are evenly spaced.
  bool is_even(std::int64_t first, std::int64_t count) const;

 private:
  std::int64_t count_;
  SharedBuffer table_;
};

/// The operands of a matmul whose rows, columns or steps are several labels each, as those of a
/// convolution (implicit im2col): the windows of an image have no strides as a matrix.
struct Im2col {
  Im2colOffsets rows, left_steps, right_steps, columns;
};

/// Labels in the order of their strides, the outermost first.
LoopLabels nested(LoopLabels labels, std::int64_t LoopLabel::*steps);

/// Labels that walk the result as one label would are merged; those further out go to `rest`.
LoopLabels even_part(LoopLabels const& labels, LoopLabels& rest);

/// A contraction with all labels of a side merged, or as many as the result allows.
SortedLabels scattered(SortedLabels const& labels);

/// Whether a contraction is faster as implicit im2col. It is not where every side has one label, or
/// where there is little work.
bool im2col_is_faster(SortedLabels const& labels);

Im2col im2col_operands(SortedLabels const& parts);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/contract/implicit_im2col.ipp>
#endif
