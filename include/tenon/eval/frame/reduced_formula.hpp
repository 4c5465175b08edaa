#pragma once

#include <tenon/eval/frame/formula.hpp>

namespace tenon::internal {

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
