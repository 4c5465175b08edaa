#pragma once

#include <cstdint>

#include <tenon/eval/frame/formula.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/op/cast.hpp>

namespace tenon::internal {

/// A frame without a `Reader` is read through a copy.
template <class F>
struct FrameCopy {
  F frame;
  TENON_INLINE explicit FrameCopy(F const& from) : frame(from) {}
  TENON_INLINE auto operator()(std::int64_t j, int n) const { return frame.trace(j, n); }
  template <class Distance>
  TENON_INLINE void advance(F const&, Distance const& distance) {
    frame.move(distance);
  }
};

template <class F>
struct ReaderOfInput {
  using type = FrameCopy<F>;
};
template <class F>
  requires requires { typename F::Reader; }
struct ReaderOfInput<F> {
  using type = typename F::Reader;
};

/// Reads the row value of a row of a group, or those of all, one in each lane.
template <class F, class Reader>
TENON_INLINE inline void read_value(Reader& reader, F const& frame, std::int64_t row) {
  if constexpr (has_row_values<F>)
    reader.value = typename F::V(frame.values[static_cast<std::size_t>(row)]);
}
template <class F, class Reader>
TENON_INLINE inline void read_values(Reader& reader, F const& frame) {
  if constexpr (has_row_values<F>) reader.value = F::V::load(frame.values.data());
}

template <class Inputs, class Indices>
struct InputReaders;

/// The readers of the inputs of a formula: copies that no store can alias, so that pointers and row
/// values stay in registers.
template <class... F, std::size_t... i>
struct InputReaders<FrameNodes<F...>, std::index_sequence<i...>>
    : Numbered<i, typename ReaderOfInput<F>::type>..., Numbered<no_operand, Nothing const> {
  template <class Formula>
  TENON_INLINE explicit InputReaders(Formula const& formula)
      : Numbered<i, typename ReaderOfInput<F>::type>{
            typename ReaderOfInput<F>::type(nth<i>(formula))}... {}

  /// Moves every access by `distance(access)` elements.
  template <class Formula, class Distance>
  TENON_INLINE void advance(Formula const& formula, Distance const& distance) {
    (nth<i>(*this).advance(nth<i>(formula), distance), ...);
  }
  template <class Formula>
  TENON_INLINE void select_row(Formula const& formula, std::int64_t row) {
    (read_value<F>(nth<i>(*this), nth<i>(formula), row), ...);
  }
  template <class Formula>
  TENON_INLINE void select_all(Formula const& formula) {
    (read_values<F>(nth<i>(*this), nth<i>(formula)), ...);
  }
};
template <class F>
using Readers = InputReaders<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>>;

/// What a loop does at a node that is an input: its value is read, its adjoint added. (One function
/// for all formulas with such a node, and so is that of an op.)
struct AtInput {
  template <class Reader>
  TENON_INLINE static auto value(Nothing, Nothing, Nothing, Reader const& from, std::int64_t j,
                                 int n) {
    return from(j, n);
  }
};

/// What a loop does at a map.
template <class Op>
struct AtMap {
  template <class A>
  TENON_INLINE static auto value(A const& a, Nothing, Nothing, Nothing, std::int64_t, int) {
    return Op::f(a);
  }
  template <class A, class B>
  TENON_INLINE static auto value(A const& a, B const& b, Nothing, Nothing, std::int64_t, int) {
    return Op::f(a, b);
  }
  template <class A, class B, class C>
  TENON_INLINE static auto value(A const& a, B const& b, C const& c, Nothing, std::int64_t, int) {
    return Op::f(a, b, c);
  }
};

template <class F>
struct AtNodeOf {
  using type = AtInput;
};
template <class M, class Op, class... F>
struct AtNodeOf<MapFrame<M, Op, F...>> {
  using type = AtMap<Op>;
};
template <class F>
using AtNode = typename AtNodeOf<F>::type;

/// The values of all nodes of a formula for the lanes j ... j+n-1 of a run.
template <class Nodes, class Indices>
struct FormulaTrace;
template <class... N, std::size_t... i>
struct FormulaTrace<FrameNodes<N...>, std::index_sequence<i...>>
    : Numbered<i, typename N::V>..., Numbered<no_operand, Nothing const> {
  using Links = LinkedNodes<FrameNodes<N...>>;
  static constexpr std::size_t root = sizeof...(N) - 1;

  template <class Inputs>
  TENON_INLINE FormulaTrace(Inputs const& inputs, std::int64_t j, int n) {
    ((nth<i>(*this) = AtNode<N>::value(
          nth<Links::nodes[i].operand[0]>(*this), nth<Links::nodes[i].operand[1]>(*this),
          nth<Links::nodes[i].operand[2]>(*this), nth<Links::nodes[i].input>(inputs), j, n)),
     ...);
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

/// A frame without a `Writer` adds adjoints itself.
template <class F>
struct FrameWriter {
  F& frame;
  TENON_INLINE explicit FrameWriter(F& to) : frame(to) {}
  template <class V, class A>
  TENON_INLINE void operator()(V const& x, A const& adjoint, std::int64_t j, int n) const {
    frame.backward(x, adjoint, j, n);
  }
};

template <class F>
struct WriterOfInput {
  using type = FrameWriter<F>;
};
template <class F>
  requires requires { typename F::Writer; }
struct WriterOfInput<F> {
  using type = typename F::Writer;
};

template <class Inputs, class Indices>
struct InputWriters;

/// Where a loop adds the adjoints of the inputs of a formula.
template <class... F, std::size_t... i>
struct InputWriters<FrameNodes<F...>, std::index_sequence<i...>>
    : Numbered<i, typename WriterOfInput<F>::type>..., Numbered<no_operand, Nothing const> {
  template <class Formula>
  TENON_INLINE explicit InputWriters(Formula& formula)
      : Numbered<i, typename WriterOfInput<F>::type>{
            typename WriterOfInput<F>::type(nth<i>(formula))}... {}

  /// Moves every access by `distance(access)` elements.
  template <class Formula, class Distance>
  TENON_INLINE void advance(Formula const& formula, Distance const& distance) {
    (nth<i>(*this).advance(nth<i>(formula), distance), ...);
  }
};
template <class F>
using Writers = InputWriters<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>>;

}  // namespace tenon::internal

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
      (!std::is_same_v<P, op::Zero> && AdjointSum<intrinsics::scalar_of<AdjointValue<V>>>)...};
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
  to = op::adjoint_as<intrinsics::scalar_of<Share>>(op::backward_of(partial, adjoint));
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

/// How the values of a formula are written to memory.
namespace tenon::internal {

/// A result of at least this many bytes is evicted from the caches before it is read again: it is
/// written by streaming stores, which do not read the lines that they overwrite. (Half of a common
/// last-level cache, which the operands occupy as well.)
inline constexpr std::int64_t bytes_past_caches = std::int64_t{16} << 20;

/// A formula that costs more is bound by computation rather than by memory.
inline constexpr int cost_past_caches = 48;

template <class F, class M>
inline constexpr bool may_store_past_caches =
    cost<F> < cost_past_caches && M::template stores_past_caches<typename F::value_type>;

/// Stores all lanes of a vector.
template <bool may_pass_caches, class M, class V, class T>
TENON_INLINE inline void store_lanes(V const& value, T* to, [[maybe_unused]] bool past_caches) {
  if constexpr (may_pass_caches) {
    if (past_caches) return M::store_past_caches(value, to);
  }
  M::store(value, to);
}

/// Stores the values of a formula for the lanes from `begin` to `end`; the first goes to `to`. The
/// loop tests for every vector whether to bypass the caches: for small formulas compilers make two
/// loops of it, elsewhere one is enough. After such stores the caller runs
/// `M::finish_past_caches()` before another thread may read. (A separate function: inlined into
/// run_row it would be compiled twice.)
template <class M, class F, class T>
[[gnu::noinline]] void store_values(Formula<F> const& frame, T* to, std::int64_t begin,
                                    std::int64_t end, [[maybe_unused]] bool past_caches = false) {
  Readers<F> const from(frame);
  std::int64_t j = begin;
  if constexpr (requires { F::together; }) {
    constexpr std::int64_t step = F::together * M::count;
    for (; j + step <= end; j += step, to += step)
      nth<0>(frame).trace_together(j, [to](int k, auto const& value) { M::store(value, to + k); });
  }
  for (; j + M::count <= end; j += M::count, to += M::count) {
    store_lanes<may_store_past_caches<F, M>, M>(Trace<F>(from, j, M::count).value(), to,
                                                past_caches);
  }
  if (j == end) return;
  int const left = tail_lanes<M>(end - j);
  M::store(Trace<F>(from, j, left).value(), to, left);
}

}  // namespace tenon::internal
