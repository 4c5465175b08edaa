#pragma once

#include <array>
#include <utility>

#include <tenon/eval/frame/map.hpp>
#include <tenon/eval/rows/layout.hpp>

/// The maps of a formula as a list: what a loop computes for a few elements is one expression over
/// this list, instead of nested function calls, one per map.
namespace tenon::internal {

/// Frames in post-order: the operands of a map, then the map. Those that are not maps are inputs.
template <class... F>
struct FrameNodes {
  static constexpr std::size_t size = sizeof...(F);
};

/// Lists, one after the other. (No operator: compilers would look at every `+` of tensors.)
template <class... Lists>
struct JoinedNodes {
  using type = FrameNodes<>;
};
template <class... A>
struct JoinedNodes<FrameNodes<A...>> {
  using type = FrameNodes<A...>;
};
template <class... A, class... B, class... More>
struct JoinedNodes<FrameNodes<A...>, FrameNodes<B...>, More...>
    : JoinedNodes<FrameNodes<A..., B...>, More...> {};

template <class F>
struct NodesOfFrame {
  using type = FrameNodes<F>;
  using backward = FrameNodes<F>;
  using inputs = FrameNodes<F>;
};
template <class F>
using NodesOf = typename NodesOfFrame<F>::type;
/// Each map before its operands, as `pre_order` below.
template <class F>
using BackwardNodesOf = typename NodesOfFrame<F>::backward;
/// The frames of a formula that are not maps, in order.
template <class F>
using InputsOf = typename NodesOfFrame<F>::inputs;

template <class M, class Op, class... F>
struct NodesOfFrame<MapFrame<M, Op, F...>> {
  using type = typename JoinedNodes<NodesOf<F>..., FrameNodes<MapFrame<M, Op, F...>>>::type;
  using backward =
      typename JoinedNodes<FrameNodes<MapFrame<M, Op, F...>>, BackwardNodesOf<F>...>::type;
  using inputs = typename JoinedNodes<InputsOf<F>...>::type;
};

/// The index of an operand that a node does not have.
inline constexpr std::size_t no_operand = ~std::size_t{0};
struct Nothing {};

/// Element i of a structure with one element per node or input of a formula: `nth<i>(elements)`.
template <std::size_t i, class T>
struct Numbered {
  T value;
};
template <class T>
struct Numbered<no_operand, T> {
  static constexpr T value{};
};
template <std::size_t i, class T>
TENON_INLINE constexpr T& nth(Numbered<i, T>& element) {
  return element.value;
}
template <std::size_t i, class T>
TENON_INLINE constexpr T const& nth(Numbered<i, T> const& element) {
  return element.value;
}

/// A node of a formula, and the number of its operands.
struct FrameNode {
  int operands = 0;  ///< 0: an input.
  std::array<std::size_t, 3> operand{no_operand, no_operand, no_operand};
  std::size_t input = no_operand;  ///< The index of the input.
};

template <class F>
inline constexpr int operands_of_frame = 0;
template <class M, class Op, class... F>
inline constexpr int operands_of_frame<MapFrame<M, Op, F...>> = int{sizeof...(F)};

/// The nodes of a formula in post-order, from their numbers of operands.
template <std::size_t size>
constexpr std::array<FrameNode, size> linked(std::array<int, size> const& operands) {
  std::array<FrameNode, size> nodes{};
  std::array<std::size_t, size> open{};  // nodes without a user so far
  std::size_t count = 0, inputs = 0;
  for (std::size_t i = 0; i < size; ++i) {
    auto const taken = static_cast<std::size_t>(operands[i]);
    nodes[i].operands = operands[i];
    if (taken == 0) nodes[i].input = inputs++;
    count -= taken;
    for (std::size_t k = 0; k < taken; ++k) nodes[i].operand[k] = open[count + k];
    open[count++] = i;
  }
  return nodes;
}

/// The order in which adjoints are passed on: a map, then its operands from left to right, each
/// with all below it.
template <std::size_t size>
constexpr std::array<std::size_t, size> pre_order(std::array<FrameNode, size> const& nodes) {
  std::array<std::size_t, size> order{}, open{size - 1};
  std::size_t count = 1;
  for (std::size_t i = 0; i < size; ++i) {
    FrameNode const& node = nodes[order[i] = open[--count]];
    for (int k = node.operands - 1; k >= 0; --k)
      open[count++] = node.operand[static_cast<std::size_t>(k)];
  }
  return order;
}

/// The order in which the row values of inputs are computed: the deeper of the two operands of a
/// map first.
template <std::size_t size>
constexpr std::array<std::size_t, size> input_order(std::array<FrameNode, size> const& nodes,
                                                    std::array<int, size> const& depth) {
  std::array<std::size_t, size> order{}, open{size - 1};
  for (std::size_t left = 1, count = 0; left > 0;) {
    FrameNode const& node = nodes[open[--left]];
    if (node.operands == 0) order[count++] = node.input;
    bool const swaps = node.operands == 2 && depth[node.operand[1]] > depth[node.operand[0]];
    for (auto k = static_cast<std::size_t>(node.operands); k-- > 0;)
      open[left++] = node.operand[swaps ? 1 - k : k];
  }
  return order;
}

template <class Nodes>
struct LinkedNodes;
template <class... N>
struct LinkedNodes<FrameNodes<N...>> {
  static constexpr auto nodes = linked<sizeof...(N)>({operands_of_frame<N>...});
  static constexpr auto backward = pre_order(nodes);
  static constexpr auto order = input_order<sizeof...(N)>(nodes, {reduction_depth<N>...});
};

/// Indices of inputs, in the order in which their row values are computed.
template <std::size_t... i>
struct InputOrder {};
template <class Nodes, class Indices>
struct OrderedInputs;
template <class Nodes, std::size_t... i>
struct OrderedInputs<Nodes, std::index_sequence<i...>> {
  using type = InputOrder<LinkedNodes<Nodes>::order[i]...>;
};
template <class F>
using OrderOf =
    typename OrderedInputs<NodesOf<F>, std::make_index_sequence<InputsOf<F>::size>>::type;

/// Visits an input that has row values; does nothing for others.
template <class F, class Visit>
TENON_INLINE inline void visit_rows(F& frame, Visit const& f) {
  if constexpr (has_row_values<F>) frame.rows(f);
}
template <class F, class R>
TENON_INLINE inline void share_values(F& frame, R& shared) {
  if constexpr (has_row_values<F>) frame.share(shared);
}
template <class F>
TENON_INLINE inline void prepare_values(F& frame) {
  if constexpr (has_row_values<F>) frame.prepare();
}
template <class F>
TENON_INLINE inline void prepare_values_of_rows(F& frame, RowGroup const& group) {
  if constexpr (has_row_values<F>) frame.prepare_rows(group);
}
template <class F>
TENON_INLINE inline void select_value(F& frame, std::int64_t row) {
  if constexpr (has_row_values<F>) frame.value = frame.values[static_cast<std::size_t>(row)];
}
template <class F>
TENON_INLINE inline void pass_back_values(F& frame) {
  if constexpr (has_row_values<F>) frame.back();
}
template <class F>
TENON_INLINE inline void give_row_to(F& frame, ScratchRow const& row) {
  if constexpr (requires { frame.enter_row(row); }) frame.enter_row(row);
}

template <class Inputs, class Indices, class Order>
struct FormulaInputs;
template <class... F, std::size_t... i, std::size_t... order>
struct FormulaInputs<FrameNodes<F...>, std::index_sequence<i...>, InputOrder<order...>>
    : Numbered<i, F>... {
  template <class Visit>
  TENON_INLINE void each(Visit const& f) {
    (f(nth<i>(*this)), ...);
  }
  template <class Visit>
  TENON_INLINE void rows(Visit const& f) {
    (visit_rows(nth<i>(*this), f), ...);
  }
  template <class R>
  void share(R& shared) {
    (share_values(nth<order>(*this), shared), ...);
  }
  void prepare() { (prepare_values(nth<order>(*this)), ...); }
  /// The row values of all rows of a group; then those of one of them are selected.
  void prepare_rows(RowGroup const& group) {
    (prepare_values_of_rows(nth<order>(*this), group), ...);
  }
  TENON_INLINE void select_row(std::int64_t row) { (select_value(nth<i>(*this), row), ...); }
  void back() { (pass_back_values(nth<in_order[sizeof...(F) - 1 - i]>(*this)), ...); }
  bool same(FormulaInputs const& other) const { return (nth<i>(*this).same(nth<i>(other)) && ...); }
  /// Sets the row along which stored inputs are stored.
  void enter_row(ScratchRow const& row) { (give_row_to(nth<i>(*this), row), ...); }

 private:
  static constexpr std::array<std::size_t, sizeof...(F)> in_order{order...};
};

/// The formula `F` of a row: its input frames, which are those that are not maps.
template <class F>
struct Formula
    : FormulaInputs<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>, OrderOf<F>> {
  using V = typename F::V;
  using value_type = typename F::value_type;
};

/// The operand of a reduction that is no row value itself: its row values are those of the operand.
template <class F>
struct ReducedFormula {
  Formula<F> frame;

  template <class Visit>
  TENON_INLINE void rows(Visit const& f) {
    if constexpr (has_row_values<F>) frame.rows(f);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (has_row_values<F>) frame.share(shared);
  }
  void prepare() {
    if constexpr (has_row_values<F>) frame.prepare();
  }
  void back() {
    if constexpr (has_row_values<F>) frame.back();
  }
};

}  // namespace tenon::internal
