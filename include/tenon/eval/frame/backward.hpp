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
template <class Op, class... V>
struct OpPassesTo : PassesTo<void> {};
template <class Op, class... V>
  requires HasDerivative<Op, V...>
struct OpPassesTo<Op, V...>
    : PassesByPartials<decltype(Op::d(std::declval<V>()...,
                                      std::declval<typename ValueOfOp<Op, V...>::type>())),
                       V...> {};
template <class M, class Op, class... F>
struct PassesTo<MapFrame<M, Op, F...>> : OpPassesTo<Op, typename F::V...> {};

/// A node from which an adjoint is passed on: the operands that have one.
struct BackwardNode : FrameNode {
  std::size_t node = 0;
  std::array<std::size_t, 3> to{no_operand, no_operand, no_operand};
  bool passes = false;
};

/// The nodes of a formula in the order in which their adjoints are passed on, if the root has one.
template <std::size_t size>
constexpr std::array<BackwardNode, size> with_adjoint(
    std::array<FrameNode, size> const& nodes, std::array<std::size_t, size> const& order,
    std::array<std::array<bool, 3>, size> const& passes) {
  std::array<BackwardNode, size> result{};
  std::array<bool, size> has{};
  has[size - 1] = true;
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t const at = order[i];
    result[i] = {
        nodes[at], at, {no_operand, no_operand, no_operand}, has[at] && nodes[at].operands == 0};
    for (std::size_t k = 0; k < static_cast<std::size_t>(nodes[at].operands); ++k) {
      if (!has[at] || !passes[at][k]) continue;
      result[i].passes = true;
      result[i].to[k] = nodes[at].operand[k];
      has[nodes[at].operand[k]] = true;
    }
  }
  return result;
}

/// The contribution to an operand's adjoint, in the dtype of that adjoint.
template <class Share, class P, class V>
TENON_INLINE inline void give(Share& to, P const& partial, V const& adjoint) {
  auto const part = op::backward_of(partial, adjoint);
  using T = intrinsics::scalar_of<Share>;
  if constexpr (std::is_same_v<intrinsics::scalar_of<std::remove_const_t<decltype(part)>>, T>)
    to = part;
  else to = op::Cast<T>::f(part);
}

template <class P, class V>
TENON_INLINE inline void give(Nothing, P const&, V const&) {}

/// What a loop does with the adjoint g of a node whose value is y: nothing; adds it to that of an
/// input; or passes it on to the adjoints of those operands of a map that have one.
struct BackAtNone {
  template <class... Arguments>
  TENON_INLINE static void pass(Arguments const&...) {}
};
struct BackAtInput {
  template <class Writer, class Y, class G>
  TENON_INLINE static void pass(Nothing, Nothing, Nothing, Y const& y, Nothing, Nothing, Nothing,
                                G const& g, Writer const& to, std::int64_t j, int n) {
    to(y, g, j, n);
  }
};
template <class Op>
struct BackAtMap {
  template <class A, class Y, class ToA, class G>
  TENON_INLINE static void pass(A const& a, Nothing, Nothing, Y const& y, ToA& to_a, Nothing,
                                Nothing, G const& g, Nothing, std::int64_t, int) {
    give(to_a, Op::d(a, y).p0, g);
  }
  template <class A, class B, class Y, class ToA, class ToB, class G>
  TENON_INLINE static void pass(A const& a, B const& b, Nothing, Y const& y, ToA& to_a, ToB& to_b,
                                Nothing, G const& g, Nothing, std::int64_t, int) {
    auto const p = Op::d(a, b, y);
    give(to_a, p.p0, g);
    give(to_b, p.p1, g);
  }
  template <class A, class B, class C, class Y, class ToA, class ToB, class ToC, class G>
  TENON_INLINE static void pass(A const& a, B const& b, C const& c, Y const& y, ToA& to_a,
                                ToB& to_b, ToC& to_c, G const& g, Nothing, std::int64_t, int) {
    auto const p = Op::d(a, b, c, y);
    give(to_a, p.p0, g);
    give(to_b, p.p1, g);
    give(to_c, p.p2, g);
  }
};

template <bool passes, class F>
struct BackAtNodeOf {
  using type = BackAtInput;
};
template <class M, class Op, class... F>
struct BackAtNodeOf<true, MapFrame<M, Op, F...>> {
  using type = BackAtMap<Op>;
};
template <class F>
struct BackAtNodeOf<false, F> {
  using type = BackAtNone;
};

/// The adjoints of all nodes of a formula, and which of them exist. `B` are the nodes in the order
/// in which adjoints are passed on.
template <class Nodes, class Backward, class Indices>
struct FormulaAdjoints;
template <class... N, class... B, std::size_t... i>
struct FormulaAdjoints<FrameNodes<N...>, FrameNodes<B...>, std::index_sequence<i...>>
    : Numbered<i, AdjointValue<typename N::V>>..., Numbered<no_operand, Nothing const> {
  using Links = LinkedNodes<FrameNodes<N...>>;
  static constexpr auto back =
      with_adjoint(Links::nodes, Links::backward, {PassesTo<N>::operands...});

  template <class Inputs, class X, class A>
  TENON_INLINE FormulaAdjoints(Inputs const& to, X const& x, A const& adjoint, std::int64_t j,
                               int n) {
    nth<sizeof...(N) - 1>(*this) = adjoint;
    (BackAtNodeOf<back[i].passes, B>::type::pass(
         nth<back[i].operand[0]>(x), nth<back[i].operand[1]>(x), nth<back[i].operand[2]>(x),
         nth<back[i].node>(x), nth<back[i].to[0]>(*this), nth<back[i].to[1]>(*this),
         nth<back[i].to[2]>(*this), nth<back[i].node>(*this), nth<back[i].input>(to), j, n),
     ...);
  }
};

/// `Adjoints<F>(to, trace, adjoint, j, n)` adds the contributions of an adjoint to the adjoints of
/// the inputs.
template <class F>
using Adjoints =
    FormulaAdjoints<NodesOf<F>, BackwardNodesOf<F>, std::make_index_sequence<NodesOf<F>::size>>;

}  // namespace tenon::internal
