#pragma once

#include <tenon/eval/frame/formula.hpp>

namespace tenon::internal {

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
};
template <class F>
using Writers = InputWriters<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>>;

}  // namespace tenon::internal
