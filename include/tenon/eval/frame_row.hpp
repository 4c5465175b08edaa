#pragma once

#include <algorithm>

#include <tenon/eval/cost.hpp>
#include <tenon/eval/frame.hpp>
#include <tenon/eval/pairwise.hpp>
#include <tenon/eval/shared.hpp>
#include <tenon/op/fold.hpp>

namespace tenon {

/// Calls `body()` for every run of a row; before, `frame` steps to where the run begins.
template <class M, class Frame, class Body>
void walk_runs(Row const& row, Frame& frame, Body const& body) {
  Index middle{};
  if (row.size() == 0) return;
  do {
    frame.step(
        [&](Access& access) { access.now = access.at + offset(access.row, middle, row.rank - 1); });
    body();
  } while (next(middle, row.sizes, row.rank - 1));
}

/// Calls `body(j, n)` for the lanes of a row, run by run.
template <class M, class Frame, class Body>
void walk(Row const& row, Frame& frame, Body const& body) {
  std::int64_t const inner = row.inner();
  walk_runs<M>(row, frame, [&] {
    std::int64_t j = 0;
    for (; j + M::count <= inner; j += M::count) body(j, M::count);
    if (j < inner) body(j, static_cast<int>(inner - j));
  });
}

/// A part of a row's formula that does not vary along the row: computed once a row.
template <class M, class F>
struct ScalarFrame : RowValue<M, ScalarFrame<M, F>, typename F::value_type> {
  using Base = RowValue<M, ScalarFrame, typename F::value_type>;
  using T = typename F::value_type;

  F frame;

  explicit ScalarFrame(F f) : frame(f) {}

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
  bool same(ScalarFrame const& other) const { return frame.same(other.frame); }

  void prepare() {
    if (this->distance != 0) {
      this->value = this->owner().value;
      return;
    }
    frame.prepare();
    settle();
    this->value = M::lane(F::of(frame.trace(0, 1)), 0);
  }

  void back() {
    if (this->distance != 0) return;
    if constexpr (std::is_floating_point_v<T>) {
      T const adjoint = this->take_adjoint();
      settle();
      frame.pull(frame.trace(0, 1), typename F::V(adjoint), 0, 1);
    }
    frame.back();
  }

 private:
  /// The accesses of a row scalar stand still: their run begins where their row does.
  void settle() {
    frame.step([](Access& access) { access.now = access.at; });
  }
};

/// A fold over the row: Op is associative, lanes are combined at the end, in a fixed tree.
template <class M, class Op, class F>
struct FoldFrame : RowValue<M, FoldFrame<M, Op, F>, typename F::value_type> {
  using T = typename F::value_type;
  using V = typename F::V;

  F frame;
  Row row;

  FoldFrame(F f, Row const& r) : frame(f), row(r) {}

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
  bool same(FoldFrame const& other) const {
    return row.rank == other.row.rank && row.sizes == other.row.sizes && frame.same(other.frame);
  }

  void prepare() {
    if (this->distance != 0) {
      this->value = this->owner().value;
      return;
    }
    frame.prepare();
    PairwiseFold<M, Op, T> total;
    walk_runs<M>(row, frame, [&] { fold_run(total); });
    this->value = M::template fold<Op>(total.result(), M::count, Op::template identity<T>);
  }

  void back() {
    if (this->distance != 0) return;
    if constexpr (op::SmoothFold<Op> && std::is_floating_point_v<T>) {
      V const y = V(this->value), adjoint = V(this->take_adjoint() / ties());
      walk<M>(row, frame, [&](std::int64_t j, int n) {
        auto const trace = frame.trace(j, n);
        frame.pull(trace, Op::pull(adjoint, F::of(trace), y), j, n);
      });
    }
    frame.back();
  }

 private:
  /// Folds one run. Where an element costs little, four vectors are folded with each other first,
  /// so that the next step need not wait for the last.
  void fold_run(PairwiseFold<M, Op, T>& total) {
    constexpr std::int64_t count = M::count;
    auto const at = [&](std::int64_t j) { return F::of(frame.trace(j, M::count)); };
    std::int64_t const inner = row.inner();
    std::int64_t j = 0;
    if constexpr (cost<F> < cost_of_a_step) {
      for (; j + 4 * count <= inner; j += 4 * count)
        total.add(Op::f(Op::f(at(j), at(j + count)), Op::f(at(j + 2 * count), at(j + 3 * count))));
    }
    for (; j + count <= inner; j += count) total.add(at(j));
    if (j == inner) return;
    int const left = static_cast<int>(inner - j);
    total.add(M::first(F::of(frame.trace(j, left)), left, Op::template identity<T>));
  }

  /// How many elements share the adjoint.
  T ties() {
    if constexpr (Op::has_ties) {
      V number = V(T(0));
      walk<M>(row, frame, [&](std::int64_t j, int n) {
        V const is = Op::pull(V(T(1)), F::of(frame.trace(j, n)), V(this->value));
        number = number + (n == M::count ? is : M::first(is, n, T(0)));
      });
      return std::max(M::template fold<op::Add>(number, M::count, T(0)), T(1));
    } else {
      return T(1);
    }
  }
};

}  // namespace tenon
