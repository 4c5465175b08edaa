#pragma once

#include <tenon/eval/frame/row.hpp>

namespace tenon::internal {

/// The position of a maximum or minimum in its row (argmax, argmin). Element by element: the first
/// of equal elements is taken.
template <class M, class Op, class F>
struct PositionFrame : RowValue<M, PositionFrame<M, Op, F>, F, std::int32_t> {
  using T = typename F::value_type;
  using Base = RowValue<M, PositionFrame, F, std::int32_t>;
  using Base::frame;

  ScratchRow row;
  OwnAccesses walking;  ///< Accesses that walk along the row.

  bool same(PositionFrame const& other) const {
    return row.sizes == other.row.sizes && frame.same(other.frame);
  }

  std::int32_t compute() {
    T best{};
    std::int32_t position = 0, found = 0;
    for (RunsOf run(row, walking.get()); run.left; run.go_on()) {
      Readers<F> const from(frame);
      walk_lanes<M>(0, row.inner(), [&](std::int64_t j, int n) {
        auto const x = Trace<F>(from, j, n).value();
        for (int i = 0; i < n; ++i, ++position) {
          T const candidate = M::lane(x, i);
          if (position != 0 && !Op::better(candidate, best)) continue;
          best = candidate;
          found = position;
        }
      });
    }
    return found;
  }
};

}  // namespace tenon::internal
