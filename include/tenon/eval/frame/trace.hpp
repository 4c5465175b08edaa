#pragma once

#include <tenon/eval/frame/readers.hpp>

namespace tenon::internal {

/// The value of node i, given the values of the nodes before it.
template <class Nodes, std::size_t i, class N, class Values, class Inputs>
TENON_INLINE inline typename N::V computed_node(Values const& x, Inputs const& inputs,
                                                std::int64_t j, int n) {
  constexpr FrameNode node = LinkedNodes<Nodes>::nodes[i];
  if constexpr (node.operands == 0) return nth<node.input>(inputs)(j, n);
  else if constexpr (node.operands == 1) return N::op::f(nth<node.operand[0]>(x));
  else if constexpr (node.operands == 2)
    return N::op::f(nth<node.operand[0]>(x), nth<node.operand[1]>(x));
  else return N::op::f(nth<node.operand[0]>(x), nth<node.operand[1]>(x), nth<node.operand[2]>(x));
}

/// The values of all nodes of a formula for the lanes j ... j+n-1 of a run.
template <class Nodes, class Indices>
struct FormulaTrace;
template <class... N, std::size_t... i>
struct FormulaTrace<FrameNodes<N...>, std::index_sequence<i...>> : Numbered<i, typename N::V>... {
  using Nodes = FrameNodes<N...>;
  static constexpr std::size_t root = sizeof...(N) - 1;

  template <class Inputs>
  TENON_INLINE FormulaTrace(Inputs const& inputs, std::int64_t j, int n) {
    ((nth<i>(*this) = computed_node<Nodes, i, N>(*this, inputs, j, n)), ...);
  }
  /// For a formula whose value is already known.
  template <class Inputs, class V>
  TENON_INLINE FormulaTrace(Inputs const& inputs, std::int64_t j, int n, V const& value)
      : FormulaTrace(inputs, j, n) {
    nth<root>(*this) = value;
  }

  TENON_INLINE auto const& value() const { return nth<root>(*this); }
};
template <class F>
using Trace = FormulaTrace<NodesOf<F>, std::make_index_sequence<NodesOf<F>::size>>;

}  // namespace tenon::internal
