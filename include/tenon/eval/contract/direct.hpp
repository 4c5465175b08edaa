#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/labelled.hpp>
#include <tenon/tensor/memory.hpp>

/// Contractions of windows with few multiply-adds for each element, as those of a depthwise
/// convolution, as loops around vectors: matrices would have one row.
namespace tenon::internal {

/// The offsets of one term of the sums; that in the result only where terms are scattered.
struct DirectTerm {
  std::int64_t a, b, c;
};

/// One part of the result: `loops` around `row` around `column`, which vectors hold, or around dot
/// products along `dot`, if its extent is not 1.
struct DirectProduct {
  LoopLabels loops;
  LoopLabel row = LoopLabel::one(), column = LoopLabel::one(), dot = LoopLabel::one();
  bool scatters = false;  ///< Whether each term has its own elements of the result.
  std::int64_t terms = 0;
  SharedBuffer table;

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

/// The labels of a contraction in two sets: one that reaches each element of the result once, and
/// one that repeats it at other offsets. The longest labels are in the first: for windows their
/// positions.
struct OverlappingLabels {
  LoopLabels apart, repeated;

  explicit OverlappingLabels(LoopLabels labels);

  /// Also makes the labels that only the left operand has outermost repetitions, if each has enough
  /// work: the elements that one repetition adds to are then still in the cache.
  void repeat_outermost();
};

/// The direct form of a contraction that adds to elements several times; false if it has none.
bool plan_direct_overlapping(DirectProduct& product, LoopLabels const& labels, LoopLabels& parts);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdlib>

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
      *to++ = {at.a + j * inner.a, at.b + j * inner.b, at.c + j * inner.c};
  }
}

TENON_RUNTIME bool is_direct(SortedLabels const& labels) {
  constexpr std::int64_t few = 8;
  LoopLabels const result = result_labels(labels), all = joined_labels(result, labels.summed);
  if (labels.batch.size == 0 || labels.rows.count() > few || labels.summed.count() == 0)
    return false;
  return result.has_unit() && !(is_apart(all, &LoopLabel::a) && is_apart(all, &LoopLabel::b));
}

/// The longest summed label of both operands along which one is contiguous; `summed.size` where
/// there is none longer than `length`.
inline int dot_label(LoopLabels const& summed, std::int64_t length) {
  int longest = summed.size;
  for (int i = 0; i < summed.size; ++i) {
    bool const in_both = summed[i].a != 0 && summed[i].b != 0;
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
  int const dot = dot_label(summed, is_contiguous(product.column) ? product.column.extent : 1);
  if (dot < summed.size) product.dot = summed.take(dot);
  parts = nested(result, &LoopLabel::c);
  if (parts.size > 0) product.row = parts.take(parts.size - 1);
  product.set_terms(summed);
  return exchanges;
}

TENON_RUNTIME OverlappingLabels::OverlappingLabels(LoopLabels labels) {
  while (labels.size > 0) {
    LoopLabel const label = labels.take_longest();
    LoopLabels with = apart;
    with.add(label);
    (is_apart(with, &LoopLabel::c) ? apart : repeated).add(label);
  }
}

TENON_RUNTIME void OverlappingLabels::repeat_outermost() {
  constexpr std::int64_t enough = std::int64_t{1} << 20;  // multiply-adds: 30 µs
  LoopLabels const all = nested(apart, &LoopLabel::c);
  LoopLabel const outermost = all[0];
  if (outermost.a == 0 || outermost.b != 0 || apart.count() / outermost.extent < enough) return;
  LoopLabels inner;
  for (int i = 1; i < all.size; ++i) inner.add(all[i]);
  apart = inner;
  LoopLabels outer;
  outer.add(outermost);
  repeated = joined_labels(outer, repeated);
}

/// The number of labels, outermost first, whose elements of the result are disjoint, whatever the
/// values of the others and of `terms`.
inline int disjoint_labels(LoopLabels const& labels, LoopLabels const& terms) {
  std::int64_t span = 1;
  int first = 0;
  for (LoopLabels const* all : {&labels, &terms})
    for (int i = 0; i < all->size; ++i) span += ((*all)[i].extent - 1) * std::abs((*all)[i].c);
  while (first < labels.size) {
    span -= (labels[first].extent - 1) * std::abs(labels[first].c);
    if (std::abs(labels[first].c) < span) break;
    ++first;
  }
  return first;
}

/// The label along which vectors of the left operand and of the result lie; `size` if none.
inline int scattered_column(LoopLabels const& labels) {
  int i = labels.unit();
  if (i < labels.size && labels[i].a != 0) return i;
  for (i = 0; i < labels.size && labels[i].a != 1;) ++i;
  return i;
}

TENON_RUNTIME bool plan_direct_overlapping(DirectProduct& product, LoopLabels const& labels,
                                           LoopLabels& parts) {
  constexpr std::int64_t few = 8;
  SortedLabels const groups = sorted(labels);
  OverlappingLabels const split(joined_labels(result_labels(groups), groups.summed));
  if (labels.count() == 0 || groups.batch.size == 0 || groups.summed.count() > few) return false;
  LoopLabels const terms = joined_labels(split.repeated, split.apart.chosen(false));
  LoopLabels all = nested(split.apart.chosen(true), &LoopLabel::c);
  int const column = scattered_column(all);
  if (column == all.size) return false;
  int const disjoint = (std::min)(disjoint_labels(all, terms), column);
  product.column = all.take(column);
  for (int i = 0; i < all.size; ++i) (i < disjoint ? parts : product.loops).add(all[i]);
  if (product.loops.size > 0) product.row = product.loops.take(product.loops.size - 1);
  product.scatters = true;
  product.set_terms(nested(terms, &LoopLabel::c));
  return true;
}

}  // namespace tenon::internal

#endif
