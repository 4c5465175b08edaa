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
template <class Backend, class T, class Kept>
void add_windows(LoopLabels labels, AxisMap const& axes, T const* adjoint, T const* other,
                 Kept const& operand, T* to) {
  if constexpr (Backend::template multiplies_im2col<T>)
    if (multiply_overlapping<Backend>(labels, adjoint, other, to)) return;
  OverlappingLabels const parts(labels);
  if (parts.apart.has_unit()) return multiply_repeated<Backend>(parts, adjoint, other, to);
  Sizes const steps = memory_of(operand).strides;
  WindowAxes const order(operand.sizes(), steps, Kept::shape.rank);
  Sizes const strides = order.strides(operand.sizes(), steps);
  auto const own_steps = label_steps(axes, strides);
  for (int i = 0; i < labels.size; ++i) labels[i].c = own_steps[static_cast<std::size_t>(i)];
  auto own = Tensor<T, spec_of<Kept>, typename Kept::device>::uninitialised(operand.sizes());
  T* const windows = own.own_memory();
  if (!covers(labels, own.size())) std::fill_n(windows, own.size(), T(0));
  multiply_labels<Backend>(labels, adjoint, other, windows, false);
  AddOverlapping<T>{to, steps, windows, strides, own.sizes(), order}.template run<Backend>();
}

/// Adds the adjoint of one operand: the contraction of the result's adjoint with the other operand.
template <class Backend, bool stepped, class T, class Kept>
void backward_operand(LoopLabels const& labels, AxisMap const& axes, T const* adjoint,
                      T const* other, Kept const& operand, Tape& tape) {
  using Sum = Computed<T>;
  auto const& base = base_of(operand);
  bool is_new = !overlapping<Kept> && covers(labels, base.size());
  std::byte* const gradient = is_new
                                  ? tape.gradient_of(base.mark(), base.size(), sizeof(Sum), is_new)
                                  : tape.gradient_of(base.mark(), base.size(), sizeof(Sum));
  if (gradient == nullptr) return;
  Sum* const to =
      reinterpret_cast<Sum*>(gradient) + (memory_of(operand).data - stored_elements(base));
  if constexpr (!overlapping<Kept>)
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
template <class Backend, class Kept, class Other>
bool backward_uncast(LoopLabels labels, AxisMap const& axes, ProductAdjoint<float>& adjoint,
                     Other const& other, Kept const& operand, Tape& tape) {
  if constexpr (overlapping<Kept>) return false;
  else {
    using T = typename Other::value_type;
    auto const& base = base_of(other);
    auto const plan = plan_labels<Backend, false, T>(labels, nullptr, nullptr, nullptr, false);
    if (!plan || labels.size == max_labels || !Backend::takes_halves(plan->matrix)) return false;
    if (has_infinity(stored_elements(base), base.size())) return false;
    SplitAdjoint const& parts = adjoint.template parts<Backend>();
    labels.add(parts.label());
    backward_operand<Backend, false>(labels, axes, parts.data(), memory_of(other).data, operand,
                                     tape);
    return true;
  }
}

/// Adds the adjoint of one operand: as a matmul of 16-bit numbers, or with the other operand cast.
template <class Backend, bool uncast, bool to_left, class E, class T, class Own, class Other>
void backward_one(E const& e, ProductAdjoint<T>& adjoint, Own const& own, Other const& other,
                  Tape& tape) {
  auto const& operand = strided_of(own);
  if (!tape.is_wanted(base_of(operand).mark())) return;
  auto const labels_with = [&](Sizes const& strides) {
    Sizes const& to = memory_of(operand).strides;
    return transposed_labels(to_left ? labels_of(e, to, strides) : labels_of(e, strides, to),
                             to_left);
  };
  AxisMap const& axes = to_left ? E::contraction.left : E::contraction.right;
  if constexpr (uncast) {
    auto const& kept = strided_of(other);
    LoopLabels const labels = labels_with(memory_of(kept).strides);
    if (backward_uncast<Backend>(labels, axes, adjoint, kept, operand, tape)) return;
  }
  auto const elements = elements_of_operand<Backend>(other);
  backward_operand<Backend, reads_steps<Other>>(labels_with(elements.strides), axes, adjoint.data,
                                                elements.data, operand, tape);
}

/// Adds the adjoints of both operands of a contraction. Adjoints that are not needed are not
/// computed, nor are the copies that they would take.
template <class Backend, class A, class B, class Rule>
void backward_contraction(Contract<A, B, Rule> const& e, typename A::value_type const* adjoint,
                          Tape& tape) {
  constexpr bool uncast = multiplies_uncast<Backend, Contract<A, B, Rule>>;
  ProductAdjoint<typename A::value_type> given{adjoint,
                                               count(e.sizes(), Rule::contraction.shape.rank)};
  backward_one<Backend, uncast, true>(e, given, operand_at<0>(e), operand_at<1>(e), tape);
  backward_one<Backend, uncast, false>(e, given, operand_at<1>(e), operand_at<0>(e), tape);
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
