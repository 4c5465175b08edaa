#pragma once

#include <algorithm>
#include <optional>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/contract/overlapping.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::internal {

/// Whether a contraction sets all elements of a tensor: its result has as many.
bool covers(LoopLabels const& labels, std::int64_t elements);

/// Adds the adjoint of an operand whose elements overlap in memory, as windows do: directly to its
/// tensor, or, where that has no contiguous axis, through a temporary with all its elements.
template <class Backend, class T>
void add_windows(LoopLabels labels, AxisMap const& axes, T const* adjoint, T const* other,
                 ir::Node operand, T* to) {
  if constexpr (Backend::template multiplies_im2col<T>)
    if (multiply_overlapping<Backend>(labels, adjoint, other, to)) return;
  OverlappingLabels const parts(labels);
  if (parts.apart.has_unit()) return multiply_repeated<Backend>(parts, adjoint, other, to);
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

/// Adds the adjoint of one operand: the contraction of the result's adjoint with the other operand.
template <class Backend, bool stepped, bool overlaps, class T>
void backward_operand(LoopLabels const& labels, AxisMap const& axes, T const* adjoint,
                      T const* other, ir::Node operand, Tape& tape) {
  using Sum = Computed<T>;
  OperandMemory const memory = memory_of(operand);
  std::int64_t const size = memory.base.count();
  TapeMark const mark = memory.base.mark();
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
  constexpr bool is_left = own == 0;
  ir::Node const product = node_of(e), operand = uncast(product.operand_at(own));
  OperandMemory const to = memory_of(operand);
  if (!tape.is_wanted(to.base.mark())) return;
  auto const labels_with = [&](Sizes const& strides) {
    return transposed_labels(
        is_left ? labels_of(product, to.strides, strides) : labels_of(product, strides, to.strides),
        is_left);
  };
  AxisMap const& axes = is_left ? E::contraction.left : E::contraction.right;
  if constexpr (multiplies_uncast<Backend, E> && !reads_steps<own, E>) {
    OperandMemory const kept = memory_of(uncast(product.operand_at(other)));
    if (backward_uncast<Backend, UncastDtype<other, E>>(labels_with(kept.strides), axes, adjoint,
                                                        kept, operand, tape))
      return;
  }
  auto const elements = elements_of_operand<Backend>(operand_at<other>(e));
  backward_operand<Backend, reads_steps<other, E>, reads_steps<own, E>>(
      labels_with(elements.strides()), axes, adjoint.data, elements.data(), operand, tape);
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

namespace tenon::internal {

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
