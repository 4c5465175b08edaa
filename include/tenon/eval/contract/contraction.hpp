#pragma once

#include <tenon/eval/axis_sets.hpp>
#include <tenon/eval/contract/add_overlapping.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/rounded.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/move/stepped.hpp>

namespace tenon {

/// Memory that a product reads: a tensor's, or a tensor's with its axes moved or in steps.
template <class T>
struct Operands {
  T const* data;
  Sizes strides;
};

template <TensorType E>
auto memory_of(E const& tensor) {
  return Operands<typename E::value_type>{tensor.data(), row_major(tensor.sizes(), E::rank)};
}

template <class E, PackedMap order, Spec S>
auto memory_of(Moved<E, order, S> const& e) {
  auto memory = memory_of(e.operand);
  memory.data += offset(memory.strides, e.start, E::rank);
  Sizes strides{};
  for (int i = 0; i < Moved<E, order, S>::shape.rank; ++i) {
    int const axis = e.order[static_cast<std::size_t>(i)];
    if (axis >= 0) at(strides, i) = at(memory.strides, axis);
  }
  memory.strides = strides;
  return memory;
}

template <class E, Spec S, bool by_one>
auto memory_of(Stepped<E, S, by_one> const& e) {
  return Operands<typename E::value_type>{e.operand.data() + e.steps.start, e.steps.along};
}

/// What a product's operand is before it is cast.
template <class E>
constexpr E const& strided_of(E const& e) {
  return e;
}
template <class To, class E>
constexpr E const& strided_of(Elementwise<op::Cast<To>, E> const& e) {
  return e.a;
}

/// The tensor that holds the elements of a product's operand.
template <TensorType E>
constexpr E const& base_of(E const& tensor) {
  return tensor;
}
template <class E, PackedMap order, Spec S>
constexpr E const& base_of(Moved<E, order, S> const& e) {
  return e.operand;
}
template <class E, Spec S, bool by_one>
constexpr E const& base_of(Stepped<E, S, by_one> const& e) {
  return e.operand;
}

/// Does an operand of a product come to an element twice, as windows do?
template <class E>
inline constexpr bool overlapping = false;
template <class E, PackedMap order, Spec S>
inline constexpr bool overlapping<Moved<E, order, S>> =
    overlaps(unpacked(order), Moved<E, order, S>::shape.rank);
template <class E, Spec S, bool by_one>
inline constexpr bool overlapping<Stepped<E, S, by_one>> = true;

/// An operand's elements in the dtype of the product.
template <class Backend, class E>
auto elements_of_operand(E const& e) {
  return memory_of(e);
}

/// The copy of an operand that is cast.
template <class T>
struct CastOperand : Operands<T> {
  SharedBuffer copy;
};
template <class Backend, class To, class E>
CastOperand<To> elements_of_operand(Elementwise<op::Cast<To>, E> const& e) {
  auto const& base = base_of(e.a);
  auto memory = memory_of(e.a);
  auto const copied = [](auto const& from) {
    constexpr int rank = Unqualified<decltype(from)>::shape.rank;
    Sizes const sizes = from.sizes();
    SharedBuffer to(static_cast<std::size_t>(count(sizes, rank)) * sizeof(To));
    Backend::fill(with_dtype<To>(from),
                  access_out(to.as<std::byte>(), row_major(sizes, rank), sizeof(To)));
    return to;
  };
  if (overlapping<E> || count(e.sizes(), E::shape.rank) == base.size()) {
    SharedBuffer const copy = copied(base);
    return {{copy.as<To>() + (memory.data - base.data()), memory.strides}, copy};
  }
  SharedBuffer const copy = copied(e.a);
  return {{copy.as<To>(), row_major(e.sizes(), E::shape.rank)}, copy};
}

/// How the adjoint of an operand lies: as the operand does, or by itself where one place stands for
/// several elements.
template <class E>
Sizes adjoint_strides(E const& operand) {
  Sizes const strides = memory_of(operand).strides;
  if constexpr (!overlapping<E>) return strides;
  else return nested_strides(operand.sizes(), strides, E::shape.rank);
}

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
  multiply_labels<Backend>(labels_of(e, a.strides, b.strides), a.data, b.data, out, false);
}

/// Has the result of a product as many elements as a tensor, then it sets all of them.
inline bool covers(LoopLabels const& labels, std::int64_t elements) {
  std::int64_t covered = 1;
  for (int i = 0; i < labels.size; ++i) covered *= labels[i].in_result() ? labels[i].extent : 1;
  return covered == elements;
}

/// Adds the adjoint of one operand: the product of the result's adjoint with the other operand.
template <class Backend, class T, class Kept>
void pull_operand(LoopLabels const& labels, T const* adjoint, T const* other, Kept const& operand,
                  Tape& tape) {
  auto const& base = base_of(operand);
  bool is_new = !overlapping<Kept> && covers(labels, base.size());
  std::byte* const gradient = is_new ? tape.gradient_of(base.mark(), base.size(), sizeof(T), is_new)
                                     : tape.gradient_of(base.mark(), base.size(), sizeof(T));
  if (gradient == nullptr) return;
  auto const memory = memory_of(operand);
  T* const to = reinterpret_cast<T*>(gradient) + (memory.data - base.data());
  if constexpr (!overlapping<Kept>)
    return multiply_labels<Backend>(labels, adjoint, other, to, !is_new);
  auto own = Tensor<T, spec_of<Kept>, typename Kept::device>::uninitialised(operand.sizes());
  T* const windows = own.mutable_data();
  if (!covers(labels, own.size())) std::fill_n(windows, own.size(), T(0));
  multiply_labels<Backend>(labels, adjoint, other, windows, false);
  AddOverlapping<T>{to, memory.strides, windows, adjoint_strides(operand), own.sizes(), own.rank}
      .template run<Backend>();
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
  LoopLabels left = labels_of(e, adjoint_strides(strided_of(e.a)), b.strides);
  LoopLabels right = labels_of(e, a.strides, adjoint_strides(strided_of(e.b)));
  turn(left, right);
  pull_operand<Backend>(left, adjoint, b.data, strided_of(e.a), tape);
  pull_operand<Backend>(right, adjoint, a.data, strided_of(e.b), tape);
}

}  // namespace tenon
