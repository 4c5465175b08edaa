#pragma once

#include <tenon/eval/frame/loop.hpp>
#include <tenon/op/cast.hpp>

/// From the adjoint of a formula to the adjoints of its inputs.
namespace tenon::internal {

template <class Op, class... V>
concept HasDerivative = requires(V... values) { Op::d(values..., Op::f(values...)); };

/// The operands to which a node passes an adjoint.
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
       std::is_floating_point_v<intrinsics::scalar_of<AdjointValue<V>>>)...};
};
template <class M, class Op, class... F>
  requires HasDerivative<Op, typename F::V...>
struct PassesTo<MapFrame<M, Op, F...>>
    : PassesByPartials<decltype(Op::d(std::declval<typename F::V>()...,
                                      std::declval<typename MapFrame<M, Op, F...>::V>())),
                       typename F::V...> {};

/// The nodes of a formula that get an adjoint if its root has one.
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

/// The contribution to an operand's adjoint, in the dtype of that adjoint.
template <class Share, class P, class V>
TENON_INLINE inline void give(Share& to, P const& partial, V const& adjoint) {
  auto const part = op::backward_of(partial, adjoint);
  using T = intrinsics::scalar_of<Share>;
  if constexpr (std::is_same_v<intrinsics::scalar_of<std::remove_const_t<decltype(part)>>, T>)
    to = part;
  else to = op::Cast<T>::f(part);
}

template <class Nodes, class Indices>
struct FormulaAdjoints;
/// The adjoints of all nodes of a formula, and which of them exist.
template <class... N, std::size_t... i>
struct FormulaAdjoints<FrameNodes<N...>, std::index_sequence<i...>>
    : Numbered<i, AdjointValue<typename N::V>>..., NumberedNode<i, N>... {
  using Links = LinkedNodes<FrameNodes<N...>>;
  static constexpr auto nodes = Links::nodes;
  static constexpr auto has = with_adjoint(nodes, Links::backward, {PassesTo<N>::operands...});

  template <class Inputs, class Values, class A>
  TENON_INLINE FormulaAdjoints(Inputs const& to, Values const& values, A const& adjoint,
                               std::int64_t j, int n) {
    nth<sizeof...(N) - 1>(*this) = adjoint;
    (pass_on<Links::backward[i]>(to, values, j, n), ...);
  }

 private:
  template <std::size_t at>
  using Node = typename decltype(numbered<at>(std::declval<FormulaAdjoints const&>()))::type;

  template <std::size_t at, class Inputs, class Values>
  TENON_INLINE void pass_on(Inputs const& to, Values const& x, std::int64_t j, int n) {
    constexpr FrameNode node = nodes[at];
    if constexpr (has[at] && node.operands == 0) {
      nth<node.input>(to)(nth<at>(x), nth<at>(*this), j, n);
    } else if constexpr (has[at] && PassesTo<Node<at>>::operands != std::array<bool, 3>{}) {
      constexpr auto k = node.operand;
      using Op = typename Node<at>::op;
      auto const& y = nth<at>(x);
      if constexpr (node.operands == 1) share<at>(Op::d(nth<k[0]>(x), y));
      else if constexpr (node.operands == 2) share<at>(Op::d(nth<k[0]>(x), nth<k[1]>(x), y));
      else share<at>(Op::d(nth<k[0]>(x), nth<k[1]>(x), nth<k[2]>(x), y));
    }
  }

  /// Adds the contributions to the adjoints of a node's operands.
  template <std::size_t at, class Partials>
  TENON_INLINE void share(Partials const& p) {
    constexpr auto to = nodes[at].operand;
    constexpr int operands = nodes[at].operands;
    auto const& adjoint = nth<at>(*this);
    if constexpr (has[to[0]]) give(nth<to[0]>(*this), p.p0, adjoint);
    if constexpr (operands > 1) {
      if constexpr (has[to[1]]) give(nth<to[1]>(*this), p.p1, adjoint);
    }
    if constexpr (operands > 2) {
      if constexpr (has[to[2]]) give(nth<to[2]>(*this), p.p2, adjoint);
    }
  }
};

/// `Adjoints<F>(to, trace, adjoint, j, n)` adds the contributions of an adjoint to the adjoints of
/// the inputs.
template <class F>
using Adjoints = FormulaAdjoints<NodesOf<F>, std::make_index_sequence<NodesOf<F>::size>>;

}  // namespace tenon::internal
