#pragma once

#include <tenon/eval/frame_row.hpp>

namespace tenon {

/// The position of an extreme in its row. Element by element: the first among equals wins.
template <class M, class Op, class F>
struct PositionFrame : RowValue<M, PositionFrame<M, Op, F>, std::int32_t> {
  using T = typename F::value_type;

  F frame;
  Row row;

  PositionFrame(F f, Row const& r) : frame(f), row(r) {
    if (row.size() == 0) throw ValueError("tenon::" + std::string(Op::name) + ": an empty axis");
  }

  template <class Visit>
  void visit(Visit const& f) {
    frame.visit(f);
  }
  template <class Visit>
  void step(Visit const&) {}
  template <class Visit>
  void rows(Visit const& f) {
    frame.rows(f);
  }
  template <class R>
  void share(R& shared) {
    frame.share(shared);
    this->distance = shared.enter(*this);
  }
  bool same(PositionFrame const& other) const {
    return row.sizes == other.row.sizes && frame.same(other.frame);
  }

  void prepare() {
    if (this->distance != 0) {
      this->value = this->owner().value;
      return;
    }
    frame.prepare();
    T best{};
    std::int32_t position = 0;
    walk<M>(row, frame, [&](std::int64_t j, int n) {
      auto const x = F::of(frame.trace(j, n));
      for (int i = 0; i < n; ++i, ++position) {
        T const candidate = M::lane(x, i);
        if (position == 0 || Op::better(candidate, best)) {
          best = candidate;
          this->value = position;
        }
      }
    });
  }

  void back() {}
};

}  // namespace tenon
