#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/labelled.hpp>
#include <tenon/tensor/memory.hpp>

/// Contractions of windows with few multiply-adds for each element, as those of a depthwise
/// convolution, as loops around vectors: matrices would have one row.
namespace tenon::internal {

/// The offsets of one term of the sums.
struct DirectTerm {
  std::int64_t a, b;
};

/// One part of the result: a loop over `row` around `column`, which vectors hold, or around dot
/// products along `dot`, if its extent is not 1. Several `outputs` read the same columns of the
/// left operand, and several rows those of the right one, if it has columns.
struct DirectProduct {
  LoopLabel row = LoopLabel::one(), column = LoopLabel::one(), dot = LoopLabel::one();
  LoopLabel outputs = LoopLabel::one();
  std::int64_t terms = 0;
  SharedBuffer table;

  /// The label along which sums of a tile are computed at once, and the other one.
  LoopLabel const& tile() const { return tiles_rows() ? row : outputs; }
  LoopLabel const& beside_tile() const { return tiles_rows() ? outputs : row; }
  bool tiles_rows() const {
    return column.a == 1 && column.b == 1 && row.b == 0 && dot.extent == 1;
  }

  DirectTerm const* term(std::int64_t number) const { return table.as<DirectTerm>() + number; }
  /// Fills the table with all combinations of labels.
  void set_terms(LoopLabels const& labels);
};

/// Whether a contraction is faster as a direct one: an operand reads elements more than once,
/// labels are common to both and to the result, and few are in one operand and the result alone.
bool is_direct(SortedLabels const& labels);

/// A direct contraction of all labels; those of its parts go to `parts`. Exchanges the operands if
/// the left one does not have the columns; returns whether it does.
bool plan_direct(DirectProduct& product, SortedLabels& labels, LoopLabels& parts);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace tenon::internal {

/// All labels of several sets.
inline LoopLabels joined_labels(LoopLabels labels, LoopLabels const& others) {
  for (int i = 0; i < others.size; ++i) labels.add(others[i]);
  return labels;
}
inline LoopLabels result_labels(SortedLabels const& labels) {
  return joined_labels(joined_labels(labels.batch, labels.rows), labels.columns);
}

TENON_RUNTIME void DirectProduct::set_terms(LoopLabels const& labels) {
  LoopLabels outer = labels;
  LoopLabel const inner = labels.size > 0 ? outer.take(labels.size - 1) : LoopLabel::one();
  terms = labels.count();
  table = SharedBuffer(static_cast<std::size_t>(terms) * sizeof(DirectTerm));
  auto* to = table.as<DirectTerm>();
  for (std::int64_t i = 0; i < outer.count(); ++i) {
    LoopLabel const at = outer.place(i);
    for (std::int64_t j = 0; j < inner.extent; ++j)
      *to++ = {at.a + j * inner.a, at.b + j * inner.b};
  }
}

TENON_RUNTIME bool is_direct(SortedLabels const& labels) {
  constexpr std::int64_t few = 8;
  LoopLabels const result = result_labels(labels), all = joined_labels(result, labels.summed);
  std::int64_t const most = labels.batch.size == 0 ? few / 2 : few;
  if (labels.rows.count() > most || labels.summed.count() == 0) return false;
  return result.has_unit() && !(is_apart(all, &LoopLabel::a) && is_apart(all, &LoopLabel::b));
}

/// The longest summed label of both operands along which one is contiguous, and the other has a
/// step of at most `most`; `summed.size` where there is none longer than `length`.
inline int dot_label(LoopLabels const& summed, std::int64_t length, std::int64_t most) {
  int longest = summed.size;
  for (int i = 0; i < summed.size; ++i) {
    std::int64_t const a = std::abs(summed[i].a), b = std::abs(summed[i].b);
    bool const in_both = a != 0 && b != 0 && (std::max)(a, b) <= most;
    if (!in_both || (summed[i].a != 1 && summed[i].b != 1) || summed[i].extent <= length) continue;
    longest = i;
    length = summed[i].extent;
  }
  return longest;
}

/// Whether vectors along a label are loaded without a loop.
inline bool is_contiguous(LoopLabel const& label) {
  return label.b == 0 ? label.a == 1 || label.a == 2 : label.a == 1 && label.b == 1;
}

TENON_RUNTIME bool plan_direct(DirectProduct& product, SortedLabels& labels, LoopLabels& parts) {
  bool const exchanges = [&] {
    LoopLabels const result = result_labels(labels);
    return result[result.unit()].a == 0;
  }();
  if (exchanges) labels.exchange_operands();
  LoopLabels result = result_labels(labels), summed = nested(labels.summed, &LoopLabel::a);
  product.column = result.take_unit();
  bool const along = is_contiguous(product.column);
  int const dot = along ? dot_label(summed, product.column.extent, 2)
                        : dot_label(summed, 1, (std::numeric_limits<std::int64_t>::max)());
  if (dot < summed.size) product.dot = summed.take(dot);
  for (int i = 0; along && product.dot.extent == 1 && i < result.size; ++i)
    if (result[i].a == 0 && product.column.b == 0 && product.outputs.extent == 1)
      product.outputs = result.take(i);
  parts = nested(result, &LoopLabel::c);
  if (parts.size > 0) product.row = parts.take(parts.size - 1);
  product.set_terms(summed);
  return exchanges;
}

}  // namespace tenon::internal

#endif
