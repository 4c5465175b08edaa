#pragma once

#include <algorithm>

#include <tenon/eval/contract/add_overlapping.hpp>
#include <tenon/eval/contract/operand_memory.hpp>
#include <tenon/eval/contract/overlapping.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/expr/contract/matmul.hpp>

namespace tenon {

/// The labels of a product with their steps, where the operands and the result lie as their strides
/// say.
inline LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents, Sizes const& left,
                            Sizes const& right, Sizes const& out) {
  auto const a = label_steps(rule.left, left);
  auto const b = label_steps(rule.right, right);
  auto const c = label_steps(rule.out, out);
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], a[i], b[i], c[i]});
  return labels;
}

/// The same of a node, whose result is row-major.
template <class A, class B, class Rule>
LoopLabels labels_of(Contract<A, B, Rule> const& e, Sizes const& left, Sizes const& right) {
  return labels_of(Rule::contraction, e.extents(), left, right,
                   row_major(e.sizes(), Rule::contraction.shape.rank));
}

/// Computes a product to `out`, row-major.
template <class Backend, class A, class B, class Rule>
void contract(Contract<A, B, Rule> const& e, typename A::value_type* out) {
  auto const a = elements_of_operand<Backend>(e.a);
  auto const b = elements_of_operand<Backend>(e.b);
  multiply_labels<Backend, reads_steps<A> || reads_steps<B>>(labels_of(e, a.strides, b.strides),
                                                             a.data, b.data, out, false);
}

/// Has the result of a product as many elements as a tensor, then it sets all of them.
inline bool covers(LoopLabels const& labels, std::int64_t elements) {
  std::int64_t covered = 1;
  for (int i = 0; i < labels.size; ++i) covered *= labels[i].in_result() ? labels[i].extent : 1;
  return covered == elements;
}

/// Adds the adjoint of an operand of which one place stands for several elements: to where they lie
/// in its tensor, or, where nothing lies side by side there, by way of a copy with all of them.
template <class Backend, class T, class Kept>
void add_windows(LoopLabels labels, AxisMap const& axes, T const* adjoint, T const* other,
                 Kept const& operand, T* to) {
  OverlappingLabels const parts(labels);
  if (parts.apart.has_unit()) return multiply_repeated<Backend>(parts, adjoint, other, to);
  Sizes const steps = memory_of(operand).strides;
  Sizes const nested = nested_strides(operand.sizes(), steps, Kept::shape.rank);
  auto const own_steps = label_steps(axes, nested);
  for (int i = 0; i < labels.size; ++i) labels[i].c = own_steps[static_cast<std::size_t>(i)];
  auto own = Tensor<T, spec_of<Kept>, typename Kept::device>::uninitialised(operand.sizes());
  T* const windows = own.mutable_data();
  if (!covers(labels, own.size())) std::fill_n(windows, own.size(), T(0));
  multiply_labels<Backend>(labels, adjoint, other, windows, false);
  AddOverlapping<T>{to, steps, windows, nested, own.sizes(), own.rank}.template run<Backend>();
}

/// Adds the adjoint of one operand: the product of the result's adjoint with the other operand.
template <class Backend, bool stepped, class T, class Kept>
void pull_operand(LoopLabels const& labels, AxisMap const& axes, T const* adjoint, T const* other,
                  Kept const& operand, Tape& tape) {
  auto const& base = base_of(operand);
  bool is_new = !overlapping<Kept> && covers(labels, base.size());
  std::byte* const gradient = is_new ? tape.gradient_of(base.mark(), base.size(), sizeof(T), is_new)
                                     : tape.gradient_of(base.mark(), base.size(), sizeof(T));
  if (gradient == nullptr) return;
  T* const to = reinterpret_cast<T*>(gradient) + (memory_of(operand).data - base.data());
  if constexpr (!overlapping<Kept>)
    return multiply_labels<Backend, stepped>(labels, adjoint, other, to, !is_new);
  else add_windows<Backend>(labels, axes, adjoint, other, operand, to);
}

/// From the labels of a product, as its operands' adjoints lie, to those of the products that make
/// these.
inline void turn(LoopLabels& left, LoopLabels& right) {
  for (int i = 0; i < left.size; ++i) left[i] = {left[i].extent, left[i].c, left[i].b, left[i].a};
  for (int i = 0; i < right.size; ++i)
    right[i] = {right[i].extent, right[i].c, right[i].a, right[i].b};
}

/// Adds the adjoints of both operands of a product.
template <class Backend, class A, class B, class Rule>
void pull_product(Contract<A, B, Rule> const& e, typename A::value_type const* adjoint,
                  Tape& tape) {
  auto const a = elements_of_operand<Backend>(e.a);
  auto const b = elements_of_operand<Backend>(e.b);
  auto const& own_a = strided_of(e.a);
  auto const& own_b = strided_of(e.b);
  LoopLabels left = labels_of(e, memory_of(own_a).strides, b.strides);
  LoopLabels right = labels_of(e, a.strides, memory_of(own_b).strides);
  turn(left, right);
  Contraction const& rule = Rule::contraction;
  pull_operand<Backend, reads_steps<B>>(left, rule.left, adjoint, b.data, own_a, tape);
  pull_operand<Backend, reads_steps<A>>(right, rule.right, adjoint, a.data, own_b, tape);
}

}  // namespace tenon
