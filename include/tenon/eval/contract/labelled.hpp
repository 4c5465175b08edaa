#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/rules/contraction.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal {

/// One extent of a contraction and its strides in both operands and in the result, in elements; 0
/// where a tensor does not have it. (Without initialisers, for `LoopLabels`.)
struct LoopLabel {
  std::int64_t extent, a, b, c;

  static constexpr LoopLabel one() { return {1, 0, 0, 0}; }

  constexpr bool in_result() const { return c != 0; }
  constexpr bool merges_after(LoopLabel const& outer) const {
    return outer.a == a * extent && outer.b == b * extent && outer.c == c * extent;
  }
};

/// A few labels in a fixed array. Most contractions have three: entries beyond `size` are
/// uninitialised and not copied. (In constant evaluation every entry has a value.)
struct LoopLabels {
  std::array<LoopLabel, max_labels> all;
  int size = 0;

  constexpr LoopLabels() {
    if (__builtin_is_constant_evaluated()) all.fill(LoopLabel::one());
  }
  constexpr LoopLabels(LoopLabels const& other) : LoopLabels() { *this = other; }
  constexpr LoopLabels& operator=(LoopLabels const& other) {
    for (int i = 0; i < other.size; ++i) (*this)[i] = other[i];
    size = other.size;
    return *this;
  }
  constexpr ~LoopLabels() = default;

  constexpr LoopLabel& operator[](int i) { return all[static_cast<std::size_t>(i)]; }
  constexpr LoopLabel const& operator[](int i) const { return all[static_cast<std::size_t>(i)]; }
  constexpr void add(LoopLabel const& label) { (*this)[size++] = label; }

  constexpr std::int64_t count() const {
    std::int64_t product = 1;
    for (int i = 0; i < size; ++i) product *= (*this)[i].extent;
    return product;
  }

  constexpr LoopLabel take(int i) {
    LoopLabel const taken = (*this)[i];
    for (; i + 1 < size; ++i) (*this)[i] = (*this)[i + 1];
    --size;
    return taken;
  }

  /// Removes and returns the longest label; extent 1 where there is none.
  LoopLabel take_longest();

  /// The labels that are in the result, or those that are summed.
  constexpr LoopLabels chosen(bool in_result) const {
    LoopLabels chosen;
    for (int i = 0; i < size; ++i)
      if ((*this)[i].in_result() == in_result) chosen.add((*this)[i]);
    return chosen;
  }

  /// The index of the label whose stride in the result is 1; `size` where there is none.
  constexpr int unit() const {
    int i = 0;
    while (i < size && (*this)[i].c != 1) ++i;
    return i;
  }
  constexpr bool has_unit() const { return unit() < size; }

  /// Removes and returns it; extent 1 where there is none.
  constexpr LoopLabel take_unit() { return has_unit() ? take(unit()) : LoopLabel::one(); }

  /// Merges two labels wherever all tensors walk them as one.
  void merge();

  /// The offsets of the `number`-th combination in the three tensors.
  constexpr LoopLabel place(std::int64_t number) const {
    LoopLabel offset = LoopLabel::one();
    for (int i = size - 1; i >= 0; --i) {
      LoopLabel const& label = (*this)[i];
      std::int64_t const at = number % label.extent;
      number /= label.extent;
      offset.a += at * label.a;
      offset.b += at * label.b;
      offset.c += at * label.c;
    }
    return offset;
  }
};

/// The labels of a contraction sorted by their role in a matmul.
struct SortedLabels {
  LoopLabels batch;    ///< In both operands and in the result.
  LoopLabels rows;     ///< In the left operand and in the result.
  LoopLabels columns;  ///< In the right operand and in the result.
  LoopLabels summed;   ///< Not in the result.

  /// Exchanges the left and the right operand.
  void exchange_operands();
};

SortedLabels sorted(LoopLabels const& labels);

/// Labels in the order of their strides, the outermost first.
LoopLabels nested(LoopLabels labels, std::int64_t LoopLabel::*steps);

/// Whether the labels reach each element of a tensor at most once.
bool is_apart(LoopLabels const& labels, std::int64_t LoopLabel::*steps);

/// The strides of a tensor along every label of a contraction, from those along its axes.
constexpr std::array<std::int64_t, max_labels> label_steps(AxisMap const& labels,
                                                           Sizes const& strides) {
  std::array<std::int64_t, max_labels> steps{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) steps[static_cast<std::size_t>(labels[i])] += strides[i];
  }
  return steps;
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <cstdlib>

namespace tenon::internal {

TENON_RUNTIME LoopLabel LoopLabels::take_longest() {
  int longest = -1;
  for (int i = 0; i < size; ++i) {
    if (longest < 0 || (*this)[i].extent > (*this)[longest].extent) longest = i;
  }
  return longest < 0 ? LoopLabel::one() : take(longest);
}

TENON_RUNTIME void LoopLabels::merge() {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      if (i == j || !(*this)[j].merges_after((*this)[i])) continue;
      LoopLabel merged = (*this)[j];
      merged.extent *= (*this)[i].extent;
      (*this)[j] = merged;
      take(i);
      i = -1;
      break;
    }
  }
}

TENON_RUNTIME void SortedLabels::exchange_operands() {
  std::swap(rows, columns);
  for (LoopLabels* group : {&batch, &rows, &columns, &summed})
    for (int i = 0; i < group->size; ++i) std::swap((*group)[i].a, (*group)[i].b);
}

TENON_RUNTIME SortedLabels sorted(LoopLabels const& labels) {
  SortedLabels sorted;
  for (int i = 0; i < labels.size; ++i) {
    LoopLabel const& label = labels[i];
    if (label.extent == 1) continue;
    if (!label.in_result()) sorted.summed.add(label);
    else if (label.a != 0 && label.b != 0) sorted.batch.add(label);
    else if (label.b != 0) sorted.columns.add(label);
    else sorted.rows.add(label);
  }
  sorted.batch.merge();
  sorted.rows.merge();
  sorted.columns.merge();
  sorted.summed.merge();
  return sorted;
}

TENON_RUNTIME LoopLabels nested(LoopLabels labels, std::int64_t LoopLabel::*steps) {
  for (int i = 1; i < labels.size; ++i) {
    for (int j = i; j > 0 && std::abs(labels[j].*steps) > std::abs(labels[j - 1].*steps); --j)
      std::swap(labels[j], labels[j - 1]);
  }
  return labels;
}

TENON_RUNTIME bool is_apart(LoopLabels const& labels, std::int64_t LoopLabel::*steps) {
  LoopLabels const all = nested(labels, steps);
  std::int64_t span = 1;
  for (int i = all.size; i-- > 0;) {
    if (all[i].*steps == 0 || all[i].extent == 1) continue;
    if (std::abs(all[i].*steps) < span) return false;
    span += (all[i].extent - 1) * std::abs(all[i].*steps);
  }
  return true;
}

}  // namespace tenon::internal

#endif
