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

}  // namespace tenon::internal
