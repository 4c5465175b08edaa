#pragma once

#include <tenon/eval/frame/trace.hpp>
#include <tenon/eval/frame/writers.hpp>
#include <tenon/op/cast.hpp>

/// From the adjoint of a formula to those of its inputs.
namespace tenon {

template <class Op, class... V>
concept HasDerivative = requires(V... values) { Op::d(values..., Op::f(values...)); };

/// Which of its operands a node passes an adjoint to.
template <class F>
struct PassesTo {
  static constexpr std::array<bool, 3> operands{};
};
template <class Partials, class... V>
struct PassesByPartials;
template <class... P, class... V>
struct PassesByPartials<op::Partials<P...>, V...> {
  static constexpr std::array<bool, 3> operands{
      (!std::is_same_v<P, op::Zero> &&
       std::is_floating_point_v<word::scalar_of<AdjointValue<V>>>)...};
};
template <class M, class Op, class... F>
  requires HasDerivative<Op, typename F::V...>
struct PassesTo<MapFrame<M, Op, F...>>
    : PassesByPartials<decltype(Op::d(std::declval<typename F::V>()...,
                                      std::declval<typename MapFrame<M, Op, F...>::V>())),
                       typename F::V...> {};

/// Which nodes of a formula get an adjoint, where its root has one.
template <std::size_t size>
constexpr std::array<bool, size> with_adjoint(std::array<FrameNode, size> const& nodes,
                                              std::array<std::size_t, size> const& backward,
                                              std::array<std::array<bool, 3>, size> const& passes) {
  std::array<bool, size> has{};
  has[size - 1] = true;
  for (std::size_t const i : backward) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(nodes[i].operands); ++k)
      has[nodes[i].operand[k]] = has[i] && passes[i][k];
  }
  return has;
}

template <std::size_t i, class N>
struct NumberedNode {
  using type = N;
};
template <std::size_t i, class N>
NumberedNode<i, N> numbered(NumberedNode<i, N> const&);

template <class Nodes, class Indices>
struct FormulaAdjoints;
/// The adjoints of all nodes of a formula, and which of them there are.
template <class... N, std::size_t... i>
struct FormulaAdjoints<FrameNodes<N...>, std::index_sequence<i...>>
    : NodeValue<i, AdjointValue<typename N::V>>..., NumberedNode<i, N>... {
  using Links = LinkedNodes<FrameNodes<N...>>;
  static constexpr auto nodes = Links::nodes;
  static constexpr auto has = with_adjoint(nodes, Links::backward, {PassesTo<N>::operands...});

  template <class Inputs, class Values, class A>
  TENON_INLINE FormulaAdjoints(Inputs const& to, Values const& values, A const& adjoint,
                               std::int64_t j, int n) {
    node_value<sizeof...(N) - 1>(*this) = adjoint;
    (pass_on<Links::backward[i]>(to, values, j, n), ...);
  }

 private:
  template <std::size_t at>
  using Node = typename decltype(numbered<at>(std::declval<FormulaAdjoints const&>()))::type;

  template <std::size_t at, class Inputs, class Values>
  TENON_INLINE void pass_on(Inputs const& to, Values const& x, std::int64_t j, int n) {
    constexpr FrameNode node = nodes[at];
    if constexpr (has[at] && node.operands == 0) {
      input_writer<node.input>(to)(node_value<at>(x), node_value<at>(*this), j, n);
    } else if constexpr (has[at] && PassesTo<Node<at>>::operands != std::array<bool, 3>{}) {
      using Op = typename Node<at>::op;
      if constexpr (node.operands == 1)
        share<at>(Op::d(node_value<node.operand[0]>(x), node_value<at>(x)));
      else if constexpr (node.operands == 2)
        share<at>(Op::d(node_value<node.operand[0]>(x), node_value<node.operand[1]>(x),
                        node_value<at>(x)));
      else
        share<at>(Op::d(node_value<node.operand[0]>(x), node_value<node.operand[1]>(x),
                        node_value<node.operand[2]>(x), node_value<at>(x)));
    }
  }

  /// Gives the operands of a node their shares, each in the dtype of its adjoint.
  template <std::size_t at, class P0>
  TENON_INLINE void share(op::Partials<P0> const& p) {
    give<at, 0>(p.p0);
  }
  template <std::size_t at, class P0, class P1>
  TENON_INLINE void share(op::Partials<P0, P1> const& p) {
    give<at, 0>(p.p0);
    give<at, 1>(p.p1);
  }
  template <std::size_t at, class P0, class P1, class P2>
  TENON_INLINE void share(op::Partials<P0, P1, P2> const& p) {
    give<at, 0>(p.p0);
    give<at, 1>(p.p1);
    give<at, 2>(p.p2);
  }
  template <std::size_t at, std::size_t k, class P>
  TENON_INLINE void give(P const& partial) {
    constexpr std::size_t to = nodes[at].operand[k];
    if constexpr (has[to]) {
      auto const part = op::pulled(partial, node_value<at>(*this));
      using T = word::scalar_of<std::remove_reference_t<decltype(node_value<to>(*this))>>;
      if constexpr (std::is_same_v<word::scalar_of<std::remove_const_t<decltype(part)>>, T>)
        node_value<to>(*this) = part;
      else node_value<to>(*this) = op::Cast<T>::f(part);
    }
  }
};

/// `Adjoints<F>(to, trace, adjoint, j, n)` adds the shares of an adjoint to those of the inputs.
template <class F>
using Adjoints = FormulaAdjoints<NodesOf<F>, std::make_index_sequence<NodesOf<F>::size>>;

}  // namespace tenon
