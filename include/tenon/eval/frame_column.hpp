#pragma once

#include <tenon/eval/frame_row.hpp>

namespace tenon {

/// A fold over axes that are not the last: every lane of the row folds its own column. The strides
/// along the folded axes are the accesses' `depth`.
template <class M, class Op, class F>
struct ColumnFrame {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;
  using Trace = V;

  F frame;
  Sizes sizes;  ///< Of the folded axes.
  int rank;

  static V of(Trace const& trace) { return trace; }
  std::int64_t length() const { return count(sizes, rank); }

  template <class Visit>
  void visit(Visit const& f) {
    frame.visit(f);
  }
  template <class Visit>
  void step(Visit const& f) {
    frame.step(f);
  }
  template <class Visit>
  void rows(Visit const& f) {
    frame.rows(f);
  }
  template <class R>
  void share(R& shared) {
    frame.share(shared);
  }
  void prepare() { frame.prepare(); }
  void back() { frame.back(); }
  bool same(ColumnFrame const& other) const {
    return sizes == other.sizes && frame.same(other.frame);
  }

  V trace(std::int64_t j, int n) const {
    PairwiseFold<M, Op, T> total;
    F at_depth = frame;
    descend(at_depth, [&] { total.add(F::of(at_depth.trace(j, n))); });
    return total.result();
  }

  void pull(Trace const& y, V adjoint, std::int64_t j, int n) {
    if constexpr (op::SmoothFold<Op> && std::is_floating_point_v<T>) {
      auto const share = Op::share(adjoint, y, [&]<class Fold, class Of>(Fold, Of const& of) {
        return this->template folded<Fold>(of, j, n);
      });
      descend(frame, [&] {
        auto const trace = frame.trace(j, n);
        frame.pull(trace, Op::pull(share, F::of(trace), y), j, n);
      });
    }
  }

 private:
  /// Calls `body` with `at` standing at every position along the folded axes, then takes it back.
  template <class Body>
  void descend(F& at, Body const& body) const {
    ElementIndex depth{};
    if (length() == 0) return;
    std::int64_t sign = 1;
    auto const shift = [&](MemoryAccess& access) {
      access.now += sign * offset(access.depth, depth, rank);
    };
    do {
      sign = 1;
      at.step(shift);
      body();
      sign = -1;
      at.step(shift);
    } while (next(depth, sizes, rank));
  }

  /// `of` of every element of a column, folded.
  template <class Fold, class Of>
  V folded(Of const& of, std::int64_t j, int n) {
    V total = V(Fold::template identity<T>);
    descend(frame, [&] { total = Fold::f(total, of(F::of(frame.trace(j, n)))); });
    return total;
  }
};

}  // namespace tenon
