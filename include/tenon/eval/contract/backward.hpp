#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/contract/window_adjoint.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/tensor/index.hpp>

/// Scatter-add of elements of which several map to one destination, as those of windows do.
namespace tenon::internal {

/// The axes of a tensor of windows, the outermost first: by their strides in the memory to which
/// its elements are added; of equal ones the longer axis comes last. If the last axis is one of
/// positions, the one before is that inside the windows, and walked backwards.
struct WindowAxes {
  int rank;
  std::array<int, max_rank> all{};
  bool is_swapped = false;  ///< Whether the axis of positions, with the larger stride, comes last.

  WindowAxes(Sizes const& sizes, Sizes const& to, int rank);

  int operator[](int i) const { return all[static_cast<std::size_t>(i)]; }

  /// Strides of memory for the elements: the axes inside windows follow the outermost one, so that
  /// a contraction has long rows and columns; all axes by their order where windows do not overlap.
  Sizes strides(Sizes const& sizes, Sizes const& to) const;
};

/// Adds the elements of one tensor to elements of another; several may have the same destination.
template <class T>
struct AddOverlapping {
  T* to;
  Sizes to_strides;
  T const* from;
  Sizes from_strides;  ///< Those of `axes`.
  Sizes sizes;
  WindowAxes axes;

  /// Whether parts along the outermost axis may be added in parallel, because their destinations
  /// are disjoint.
  bool is_apart() const {
    std::int64_t span = 1;
    for (int i = 1; i < axes.rank; ++i)
      span += (at(sizes, axes[i]) - 1) * std::abs(at(to_strides, axes[i]));
    return axes.rank > 1 && std::abs(at(to_strides, axes[0])) >= span;
  }

  void add(int nested, T* target, T const* source) const {
    int const here = axes[nested];
    std::int64_t const count = at(sizes, here), step = at(to_strides, here);
    if (nested == axes.rank - 1) return add_row(target, step, source, count);
    bool const backwards = axes.is_swapped && nested == axes.rank - 2;
    for (std::int64_t number = 0; number < count; ++number) {
      std::int64_t const i = backwards ? count - 1 - number : number;
      add(nested + 1, target + i * step, source + i * at(from_strides, here));
    }
  }

  template <class Backend>
  void run() const {
    if (axes.rank == 0) return add_row(to, 1, from, 1);
    if (!is_apart()) return add(0, to, from);
    Backend::parallel_for(at(sizes, axes[0]), 0, [&](std::int64_t i, std::byte*) {
      add(1, to + i * at(to_strides, axes[0]), from + i * at(from_strides, axes[0]));
    });
  }

 private:
  static void add_row(T* target, std::int64_t step, T const* source, std::int64_t count) {
    if (step == 1)
      for (std::int64_t i = 0; i < count; ++i) target[i] += source[i];
    else
      for (std::int64_t i = 0; i < count; ++i) target[i * step] += source[i];
  }
};

/// Whether a contraction sets all elements of a tensor: its result has as many.
bool covers(LoopLabels const& labels, std::int64_t elements);

/// Adds the adjoint of an operand whose elements overlap in memory, as windows do: directly to its
/// tensor, or, where that has no contiguous axis, through a temporary with all its elements.
template <class Backend, class T>
void add_windows(LoopLabels labels, AxisMap const& axes, T const* adjoint, T const* other,
                 ir::Node operand, T* to) {
  if (LoopLabels const result = labels.chosen(true);
      result.has_unit() && is_apart(result, &LoopLabel::c))
    return multiply_labels<Backend>(labels, adjoint, other, to, true);
  Sizes const sizes = operand.sizes(), steps = memory_of(operand).strides;
  WindowAxes const order(sizes, steps, operand.rank());
  Sizes const strides = order.strides(sizes, steps);
  auto const own_steps = label_steps(axes, strides);
  for (int i = 0; i < labels.size; ++i) labels[i].c = own_steps[static_cast<std::size_t>(i)];
  std::int64_t const size = operand.count();
  SharedBuffer const own(static_cast<std::size_t>(size) * sizeof(T));
  T* const windows = own.as<T>();
  if (!covers(labels, size)) std::fill_n(windows, size, T(0));
  multiply_labels<Backend>(labels, adjoint, other, windows, false);
  AddOverlapping<T>{to, steps, windows, strides, sizes, order}.template run<Backend>();
}

/// Adds the adjoint of an operand that is read as windows as a convolution; false where its windows
/// do not have that form.
template <class Backend, bool winograd, class T>
bool backward_windows(LoopLabels const& labels, T const* adjoint, T const* other, ir::Node operand,
                      OperandMemory const& memory, Tape& tape) {
  PaddedEnds const* const padded = operand.is(NodeKind::step) ? operand.steps().padded : nullptr;
  WindowAdjoint const windows(labels, memory.base.sizes(), memory.base.rank(), padded);
  if (!windows.is_slid || memory.start != 0 || !all_finite(other, labels)) return false;
  std::int64_t const size = memory.base.count();
  bool is_new = false;
  std::byte* const gradient = windows.covers
                                  ? tape.gradient_of(memory.base.mark(), size, sizeof(T), is_new)
                                  : tape.gradient_of(memory.base.mark(), size, sizeof(T));
  if (gradient != nullptr)
    multiply_windows<Backend, winograd>(windows, adjoint, other, reinterpret_cast<T*>(gradient),
                                        !is_new);
  return true;
}

/// Adds the adjoint of one operand: the contraction of the result's adjoint with the other operand.
template <class Backend, bool stepped, bool overlaps, bool winograd = false, class T>
void backward_operand(LoopLabels const& labels, AxisMap const& axes, T const* adjoint,
                      T const* other, ir::Node operand, Tape& tape) {
  using Sum = Computed<T>;
  OperandMemory const memory = memory_of(operand);
  std::int64_t const size = memory.base.count();
  TapeMark const mark = memory.base.mark();
  if constexpr (overlaps && Backend::template multiplies_im2col<T>)
    if (backward_windows<Backend, winograd>(labels, adjoint, other, operand, memory, tape)) return;
  bool is_new = !overlaps && covers(labels, size);
  std::byte* const gradient = is_new ? tape.gradient_of(mark, size, sizeof(Sum), is_new)
                                     : tape.gradient_of(mark, size, sizeof(Sum));
  if (gradient == nullptr) return;
  Sum* const to = reinterpret_cast<Sum*>(gradient) + memory.start;
  if constexpr (!overlaps)
    return multiply_labels<Backend, stepped>(labels, adjoint, other, to, !is_new);
  else add_windows<Backend>(labels, axes, adjoint, other, operand, to);
}

/// From the labels of a contraction to those of the contraction that computes an operand's adjoint,
/// with the adjoints' memory layout.
LoopLabels transposed_labels(LoopLabels labels, bool to_left);

/// The adjoint of a contraction, and its bfloat16 parts where a backward uses them.
template <class T>
struct ProductAdjoint {
  T const* data;
  std::int64_t size;
  std::optional<SplitAdjoint> split{};

  template <class Backend>
  SplitAdjoint const& parts() {
    if (!split) split = SplitAdjoint::of<Backend>(data, size);
    return *split;
  }
};

/// Adds the adjoint of one operand as a matmul of 16-bit numbers, if that is faster.
template <class Backend, class T>
bool backward_uncast(LoopLabels labels, AxisMap const& axes, ProductAdjoint<float>& adjoint,
                     OperandMemory const& other, ir::Node operand, Tape& tape) {
  auto const plan = plan_labels<Backend, false, T>(labels, nullptr, nullptr, nullptr, false);
  if (!plan || labels.size == max_labels || !Backend::takes_halves(plan->matrix)) return false;
  if (has_infinity(static_cast<T const*>(other.base.elements()), other.base.count())) return false;
  SplitAdjoint const& parts = adjoint.template parts<Backend>();
  labels.add(parts.label());
  backward_operand<Backend, false, false>(labels, axes, parts.data(), other.elements<T>(), operand,
                                          tape);
  return true;
}

/// Adds the adjoint of operand `own` of a contraction: as a matmul of 16-bit numbers, or with the
/// other operand cast.
template <class Backend, std::size_t own, class E, class T>
void backward_one(E const& e, ProductAdjoint<T>& adjoint, Tape& tape) {
  constexpr std::size_t other = 1 - own;
  ir::Node const product = node_of(e), operand = uncast(product.operand_at(own));
  OperandMemory const to = memory_of(operand);
  if (!tape.is_wanted(to.base.mark())) return;
  auto const labels_with = [&](Sizes const& strides) {
    return transposed_labels(own == 0 ? labels_of(product, to.strides, strides)
                                      : labels_of(product, strides, to.strides),
                             own == 0);
  };
  AxisMap const& axes = own == 0 ? E::contraction.left : E::contraction.right;
  if constexpr (multiplies_uncast<Backend, E> && !reads_steps<own, E>) {
    OperandMemory const kept = memory_of(uncast(product.operand_at(other)));
    if (backward_uncast<Backend, UncastDtype<other, E>>(labels_with(kept.strides), axes, adjoint,
                                                        kept, operand, tape))
      return;
  }
  auto const elements = elements_of_operand<Backend>(operand_at<other>(e));
  backward_operand<Backend, reads_steps<other, E>, reads_steps<own, E>,
                   permits_winograd<Backend, E>>(labels_with(elements.strides()), axes,
                                                 adjoint.data, elements.data(), operand, tape);
}

/// Adds the adjoints of both operands of a contraction. Adjoints that are not needed are not
/// computed, nor are the copies that they would take.
template <class Backend, class E>
void backward_contraction(E const& e, typename E::value_type const* adjoint, Tape& tape) {
  ProductAdjoint<typename E::value_type> given{adjoint, count(e.sizes(), E::shape.rank)};
  backward_one<Backend, 0>(e, given, tape);
  backward_one<Backend, 1>(e, given, tape);
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <numeric>
#include <tuple>

namespace tenon::internal {

/// Whether an axis reaches beyond one step of another.
inline bool reaches_beyond(Sizes const& sizes, Sizes const& to, int axis, int other) {
  return (at(sizes, axis) - 1) * std::abs(at(to, axis)) >= std::abs(at(to, other));
}

TENON_RUNTIME WindowAxes::WindowAxes(Sizes const& sizes, Sizes const& to, int axes) : rank(axes) {
  std::iota(all.begin(), all.end(), 0);
  auto const is_before = [&](int a, int b) {
    return std::tuple(-std::abs(at(to, a)), at(sizes, a), a) <
           std::tuple(-std::abs(at(to, b)), at(sizes, b), b);
  };
  // g++ 12 warns falsely about the end of a short array in std::sort (-Warray-bounds).
  for (auto i = all.begin(); i != all.begin() + rank; ++i)
    std::rotate(std::upper_bound(all.begin(), i, *i, is_before), i, i + 1);
  if (rank < 2) return;
  int& last = all[static_cast<std::size_t>(rank - 1)];
  int& previous = all[static_cast<std::size_t>(rank - 2)];
  is_swapped = at(sizes, last) < at(sizes, previous) && at(to, last) != at(to, previous) &&
               reaches_beyond(sizes, to, last, previous);
  if (is_swapped) std::swap(last, previous);
}

TENON_RUNTIME Sizes WindowAxes::strides(Sizes const& sizes, Sizes const& to) const {
  WindowAxes order = *this;
  auto const is_inside = [&](int i) {
    return is_swapped && (i == rank - 2 || (i > 1 && i < rank - 2 &&
                                            reaches_beyond(sizes, to, (*this)[i], (*this)[i - 1])));
  };
  int next = 1;
  for (bool const inside : {true, false})
    for (int i = 1; i < rank; ++i)
      if (is_inside(i) == inside) order.all[static_cast<std::size_t>(next++)] = (*this)[i];
  Sizes strides{};
  std::int64_t step = 1;
  for (int i = rank; i-- > 0; step *= at(sizes, order[i])) at(strides, order[i]) = step;
  return strides;
}

TENON_RUNTIME bool covers(LoopLabels const& labels, std::int64_t elements) {
  std::int64_t covered = 1;
  for (int i = 0; i < labels.size; ++i) covered *= labels[i].in_result() ? labels[i].extent : 1;
  return covered == elements;
}

TENON_RUNTIME LoopLabels transposed_labels(LoopLabels labels, bool to_left) {
  for (int i = 0; i < labels.size; ++i) {
    LoopLabel const& of = labels[i];
    labels[i] = {of.extent, of.c, to_left ? of.b : of.a, to_left ? of.a : of.b};
  }
  return labels;
}

}  // namespace tenon::internal

#endif
