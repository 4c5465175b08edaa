#pragma once

#include <algorithm>

#include <tenon/eval/fold_block.hpp>
#include <tenon/eval/frame.hpp>
#include <tenon/eval/pairwise.hpp>
#include <tenon/eval/shared.hpp>
#include <tenon/eval/walk.hpp>

namespace tenon {

/// A part of a row's formula that does not vary along the row: computed once a row.
template <class M, class F>
struct ScalarFrame : RowValue<M, ScalarFrame<M, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using Base = RowValue<M, ScalarFrame, F, T>;
  using Base::Base, Base::frame;

  bool same(ScalarFrame const& other) const { return frame.same(other.frame); }

  T compute() {
    settle();
    return M::lane(F::of(frame.trace(0, 1)), 0);
  }
  void pull_down(T adjoint) {
    settle();
    frame.pull(frame.trace(0, 1), typename F::V(adjoint), 0, 1);
  }

 private:
  /// The accesses of a row scalar stand still: their run begins where their row does.
  void settle() {
    frame.step([](MemoryAccess& access) { access.now = access.at; });
  }
};

/// A fold over the row: Op is associative, lanes are combined at the end, in a fixed tree.
template <class M, class Op, class F>
struct FoldFrame : RowValue<M, FoldFrame<M, Op, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using V = typename F::V;
  using Base = RowValue<M, FoldFrame, F, T>;
  using Base::frame;

  ScratchRow row;

  FoldFrame(F const& f, ScratchRow const& r) : Base(f), row(r) {}

  bool same(FoldFrame const& other) const {
    return row.rank == other.row.rank && row.sizes == other.row.sizes && frame.same(other.frame);
  }

  T compute() {
    PairwiseFold<M, Op, T> total;
    walk_runs<M>(row, frame, [&] { fold_run(total); });
    return M::template fold<Op>(total.result(), M::count, identity);
  }

  void pull_down(T from_above) {
    if constexpr (op::SmoothFold<Op>) {
      V const y = V(this->value);
      auto const share = Op::share(V(from_above), y, [&]<class Fold, class Of>(Fold, Of const& of) {
        return V(this->template folded<Fold>(of));
      });
      walk<M>(row, frame, [&](std::int64_t j, int n) {
        auto const trace = frame.trace(j, n);
        frame.pull(trace, Op::pull(share, F::of(trace), y), j, n);
      });
    }
  }

 private:
  static constexpr T identity = Op::template identity<T>;

  /// Folds one run, block by block; a tail counts to the last block. The loop reads a copy of the
  /// frame, so that its pointers stay in registers.
  void fold_run(PairwiseFold<M, Op, T>& total) const {
    constexpr std::int64_t block = M::count * PairwiseFold<M, Op, T>::block_length;
    F const own = frame;
    for (std::int64_t j = 0, inner = row.inner(); j < inner; j += block)
      total.push(fold_block(own, j, std::min(j + block, inner)));
  }

  [[gnu::always_inline]] static V fold_block(F const& own, std::int64_t j, std::int64_t end) {
    FoldBlock<M, Op, V> block;
    auto const at = [&](std::int64_t i) { return F::of(own.trace(i, M::count)); };
    if constexpr (cost<F> < cost_of_a_step) j = block.by_fours(at, j, end);
    j = block.by_ones(at, j, end);
    if (j == end) return block.sum;
    int const left = static_cast<int>(end - j);
    return Op::f(block.sum, M::first(F::of(own.trace(j, left)), left, identity));
  }

  /// `of` of every element, folded.
  template <class Fold, class Of>
  T folded(Of const& of) {
    constexpr T none = Fold::template identity<T>;
    V total = V(none);
    walk<M>(row, frame, [&](std::int64_t j, int n) {
      V const x = of(F::of(frame.trace(j, n)));
      total = Fold::f(total, n == M::count ? x : M::first(x, n, none));
    });
    return M::template fold<Fold>(total, M::count, none);
  }
};

}  // namespace tenon
