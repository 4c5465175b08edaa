#pragma once

#include <utility>

#include <tenon/eval/rows/layout.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/view/stepped.hpp>
#include <tenon/ir/axis_sets.hpp>
#include <tenon/ir/rounded.hpp>

namespace tenon::internal {

/// The memory of a contraction's operand: that of a tensor, or of a transposed or strided view of
/// one.
template <class T>
struct Operands {
  T const* data;
  Sizes strides;
};

template <TensorType E>
auto memory_of(E const& tensor) {
  return Operands<typename E::value_type>{stored_elements(tensor),
                                          row_major(tensor.sizes(), E::rank)};
}

template <class E, PackedMap order, Spec S>
auto memory_of(IndexMap<E, order, S> const& e) {
  auto memory = memory_of(operand_at<0>(e));
  memory.data += offset(memory.strides, e.start, E::rank);
  Sizes strides{};
  for (int i = 0; i < IndexMap<E, order, S>::shape.rank; ++i) {
    int const axis = e.order[static_cast<std::size_t>(i)];
    if (axis >= 0) at(strides, i) = at(memory.strides, axis);
  }
  memory.strides = strides;
  return memory;
}

template <class E, Spec S, bool by_one>
auto memory_of(Stepped<E, S, by_one> const& e) {
  return Operands<typename E::value_type>{stored_elements(operand_at<0>(e)) + e.steps.start,
                                          e.steps.along};
}

/// The operand of a contraction before its cast.
template <class E>
constexpr E const& strided_of(E const& e) {
  return e;
}
template <class To, class E>
constexpr E const& strided_of(Elementwise<op::Cast<To>, E> const& e) {
  return operand_at<0>(e);
}

/// The tensor that owns the elements of a contraction's operand.
template <TensorType E>
constexpr E const& base_of(E const& tensor) {
  return tensor;
}
template <class E>
  requires(is_index_map<E> || is_stepped<E>)
constexpr auto const& base_of(E const& e) {
  return operand_at<0>(e);
}

/// Whether a contraction's operand reads an element more than once, as windows do.
template <class E>
inline constexpr bool overlapping = false;
template <class E, PackedMap order, Spec S>
inline constexpr bool overlapping<IndexMap<E, order, S>> =
    overlaps(unpacked(order), IndexMap<E, order, S>::shape.rank);
template <class E, Spec S, bool by_one>
inline constexpr bool overlapping<Stepped<E, S, by_one>> = true;

/// An operand's elements in the dtype of the contraction.
template <class Backend, class E>
auto elements_of_operand(E const& e) {
  return memory_of(e);
}

/// The cast copy of an operand.
template <class T>
struct CastOperand : Operands<T> {
  SharedBuffer copy;
};
template <class Backend, class To, class E>
CastOperand<To> elements_of_operand(Elementwise<op::Cast<To>, E> const& e) {
  auto const& base = base_of(operand_at<0>(e));
  auto memory = memory_of(operand_at<0>(e));
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
    return {{copy.as<To>() + (memory.data - stored_elements(base)), memory.strides}, copy};
  }
  SharedBuffer const copy = copied(operand_at<0>(e));
  return {{copy.as<To>(), row_major(e.sizes(), E::shape.rank)}, copy};
}

/// Whether an operand's elements are read with steps, or as windows.
template <class E>
inline constexpr bool reads_steps =
    overlapping<Unqualified<decltype(strided_of(std::declval<E const&>()))>>;

/// Whether an operand of a contraction is.
template <class P>
inline constexpr bool reads_any_steps = false;
template <class A, class B, class Rule>
inline constexpr bool reads_any_steps<Contract<A, B, Rule>> = reads_steps<A> || reads_steps<B>;

}  // namespace tenon::internal
