#pragma once

#include <type_traits>

#include <tenon/eval/machine.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/op/reduction.hpp>
#include <tenon/tensor/host_elements.hpp>

/// One element of any expression, computed directly from its definition: used by `reference` and
/// constant evaluation, and the oracle of the tests of the other backends.
namespace tenon::internal {

template <TensorType E>
constexpr auto element(E const& tensor, ElementIndex const& index) {
  std::int64_t const place = offset(row_major(tensor.sizes(), E::rank), index, E::rank);
  return host_element<typename E::device>(stored_elements(tensor), place);
}

template <class T>
constexpr T element(ConstantNode<T> const& constant, ElementIndex const&) {
  return static_cast<T>(constant.value);
}

/// The element of operand k of a map that corresponds to an element of the result.
template <std::size_t k, class Node, class E>
constexpr auto operand_element(E const& operand, ElementIndex const& index) {
  constexpr AxisMap map = Node::types::maps[k];
  ElementIndex own{};
  for (int i = 0; i < E::shape.rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    at(own, i) = axis < 0 ? 0 : at(index, axis);
  }
  return element(operand, own);
}

template <class Op, class... E>
constexpr auto element(Elementwise<Op, E...> const& e, ElementIndex const& index) {
  using Node = Elementwise<Op, E...>;
  check_not_gone(e);
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return Op::f(operand_element<k, Node>(operand_at<k>(e), index)...);
  }(std::index_sequence_for<E...>());
}

/// An element of a view or a gather.
template <class E>
  requires(is_index_map<E> || GatherNode<E>)
constexpr auto element(E const& e, ElementIndex const& index) {
  return element(operand_at<0>(e), e.source(index));
}

template <class E, Spec S, bool by_one>
constexpr auto element(Stepped<E, S, by_one> const& e, ElementIndex const& index) {
  return host_element<typename E::device>(stored_elements(operand_at<0>(e)), e.place(index));
}

/// Calls `f(index, number)` for every element of the operand that is reduced into one of the
/// result.
template <class Op, class E, AxisBits axes, bool keeps, class F>
constexpr void for_reduced(ReductionNode<Op, E, axes, keeps> const& e, ElementIndex const& index,
                           F const& f) {
  Sizes const sizes = operand_at<0>(e).sizes();
  Sizes extents = unit_sizes();
  ElementIndex base{};
  for (int i = 0, from = 0; i < E::shape.rank; ++i) {
    bool const reductions = has_axis(axes, i);
    if (reductions) at(extents, i) = at(sizes, i);
    else at(base, i) = at(index, from);
    from += reductions && !keeps ? 0 : 1;
  }
  ElementIndex step{};
  std::int64_t number = 0;
  if (count(extents, E::shape.rank) == 0) return;
  do {
    ElementIndex own = base;
    for (int i = 0; i < E::shape.rank; ++i) at(own, i) += at(step, i);
    f(own, number++);
  } while (next(step, extents, E::shape.rank));
}

template <class Op, class E, AxisBits axes, bool keeps>
constexpr auto element(ReductionNode<Op, E, axes, keeps> const& e, ElementIndex const& index) {
  using T = typename E::value_type;
  if constexpr (op::PositionReduction<Op>) {
    T best{};
    std::int32_t position = -1;
    for_reduced(e, index, [&](ElementIndex const& at, std::int64_t number) {
      T const candidate = element(operand_at<0>(e), at);
      if (number == 0 || Op::better(candidate, best)) {
        best = candidate;
        position = static_cast<std::int32_t>(number);
      }
    });
    if (position < 0) throw ValueError("tenon::" + std::string(Op::name) + ": an empty axis");
    return position;
  } else {
    PairwiseReduction<ScalarMachine, Op, T> total;
    for_reduced(e, index, [&](ElementIndex const& at, std::int64_t) {
      total.add(element(operand_at<0>(e), at));
    });
    return total.result();
  }
}

/// The position of an operand's element among labels.
constexpr ElementIndex labelled(AxisMap const& labels,
                                std::array<std::int64_t, max_labels> const& at) {
  ElementIndex index{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) index[i] = at[static_cast<std::size_t>(labels[i])];
  }
  return index;
}

/// An iteration over the summed labels of a contraction, for one element of the result.
struct SummedLabels {
  LabelExtents extents{};
  std::array<std::int64_t, max_labels> position{};
  std::array<bool, max_labels> fixed{};
  std::size_t count = 0;

  constexpr SummedLabels(Contraction const& rule, LabelExtents const& sizes,
                         ElementIndex const& index)
      : extents(sizes), count(static_cast<std::size_t>(rule.labels)) {
    for (std::size_t i = 0; i < max_rank; ++i) {
      if (rule.out[i] < 0) continue;
      position[static_cast<std::size_t>(rule.out[i])] = index[i];
      fixed[static_cast<std::size_t>(rule.out[i])] = true;
    }
  }

  constexpr bool is_empty() const {
    for (std::size_t l = 0; l < count; ++l) {
      if (!fixed[l] && extents[l] == 0) return true;
    }
    return false;
  }

  /// Advances to the next position; false after the last.
  constexpr bool next() {
    for (std::size_t l = 0; l < count; ++l) {
      if (fixed[l]) continue;
      if (++position[l] < extents[l]) return true;
      position[l] = 0;
    }
    return false;
  }
};

template <class A, class B, class Rule>
constexpr auto element(Contract<A, B, Rule> const& e, ElementIndex const& index) {
  using T = typename A::value_type;
  Contraction const& rule = Rule::contraction;
  SummedLabels at(rule, e.extents(), index);
  T total = T(0);
  if (at.is_empty()) return total;
  do {
    total = intrinsics::add(
        total, intrinsics::multiply(element(operand_at<0>(e), labelled(rule.left, at.position)),
                                    element(operand_at<1>(e), labelled(rule.right, at.position))));
  } while (at.next());
  return total;
}

}  // namespace tenon::internal
