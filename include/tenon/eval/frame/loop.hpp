#pragma once

#include <tenon/eval/frame/formula.hpp>

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

template <class Inputs, class Indices>
struct InputReaders;

/// The readers of the inputs of a formula: copies that no store can alias, so that pointers and row
/// values stay in registers.
template <class... F, std::size_t... i>
struct InputReaders<FrameNodes<F...>, std::index_sequence<i...>>
    : Numbered<i, typename ReaderOfInput<F>::type>... {
  template <class Formula>
  TENON_INLINE explicit InputReaders(Formula const& formula)
      : Numbered<i, typename ReaderOfInput<F>::type>{
            typename ReaderOfInput<F>::type(nth<i>(formula))}... {}

  /// Moves every access by `distance(access)` elements.
  template <class Formula, class Distance>
  TENON_INLINE void advance(Formula const& formula, Distance const& distance) {
    (nth<i>(*this).advance(nth<i>(formula), distance), ...);
  }
};
template <class F>
using Readers = InputReaders<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>>;

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
    : Numbered<i, typename WriterOfInput<F>::type>... {
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
