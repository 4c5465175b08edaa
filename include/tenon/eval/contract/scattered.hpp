#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/eval/contract/labelled.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon {

/// Where the elements along one side of a matrix lie that several labels make together: how far
/// from the first, and how many from there on lie side by side.
class ScatteredPlaces {
 public:
  ScatteredPlaces(LoopLabels const& labels, std::int64_t LoopLabel::*steps);

  std::int64_t operator[](std::int64_t i) const { return table_.as<std::int64_t>()[i]; }
  std::int64_t run_of(std::int64_t i) const { return (*this)[count_ + i]; }

  /// Are `count` places from `first` on evenly spaced?
  bool is_even(std::int64_t first, std::int64_t count) const;

 private:
  std::int64_t count_;
  SharedBuffer table_;
};

/// The operands of a product of matrices whose rows, columns or steps are several labels each, as
/// those of a convolution: the windows of an image have no strides as a matrix.
struct Scattered {
  ScatteredPlaces rows, left_steps, right_steps, columns;
};

/// Labels in the order in which they lie in memory, the outermost first.
LoopLabels nested(LoopLabels labels, std::int64_t LoopLabel::*steps);

/// Labels of the result that step through it evenly, as one would, are taken together; those that
/// lie further out go to `rest`.
LoopLabels even_part(LoopLabels const& labels, LoopLabels& rest);

/// A product with all labels of a side as one, or as many as the result allows.
SortedLabels scattered(SortedLabels const& labels);

/// Is a product better made so? Where there is one label a side anyhow, or little to do, it is not.
bool is_scattered(SortedLabels const& labels);

Scattered scattered_operands(SortedLabels const& parts);

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/contract/scattered.ipp>
#endif
