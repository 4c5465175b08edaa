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
