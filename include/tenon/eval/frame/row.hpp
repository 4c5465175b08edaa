#pragma once

#include <algorithm>

#include <tenon/eval/frame/equal.hpp>
#include <tenon/eval/frame/fold_block.hpp>
#include <tenon/eval/frame/frame.hpp>
#include <tenon/eval/pairwise.hpp>
#include <tenon/eval/rows/walk.hpp>

namespace tenon {

/// A part of a row's formula that does not vary along the row: computed once a row.
template <class M, class F>
struct ScalarFrame : RowValue<M, ScalarFrame<M, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using Base = RowValue<M, ScalarFrame, F, T>;
  using Base::Base, Base::frame;

  bool same(ScalarFrame const& other) const { return frame.same(other.frame); }

  T compute() { return M::lane(F::of(frame.trace(0, 1)), 0); }
  void pull_down(T adjoint) { frame.pull(frame.trace(0, 1), typename F::V(adjoint), 0, 1); }
};

template <class M, class F>
inline constexpr int fold_depth<ScalarFrame<M, F>> = fold_depth<F>;

/// Does a frame keep a row that the fold right over it may compute and fold in one pass?
template <class F>
concept KeepsRow = requires(F const& frame) { frame.computed(0, 1); };

/// The values of a frame, all lanes from an element on. (No lambda: compilers would rather call
/// it.)
template <class M, class F>
struct ValuesFrom {
  F const& frame;
  [[gnu::always_inline]] typename F::V operator()(std::int64_t j) const { return at(j, M::count); }
  [[gnu::always_inline]] typename F::V at(std::int64_t j, int n) const {
    if constexpr (KeepsRow<F>) return frame.computed(j, n);
    else return F::of(frame.trace(j, n));
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

  void prepare_operand() {
    if constexpr (KeepsRow<F>) frame.prepare_operand();
    else frame.prepare();
  }
  T compute() { return M::template fold<Op>(in_lanes(), M::count, identity); }

  void pull_down(T from_above) {
    if constexpr (KeepsRow<F> && std::same_as<Op, op::SumFold>) {
      frame.pull_all(from_above);
    } else if constexpr (op::SmoothFold<Op>) {
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
  static constexpr std::int64_t block_elements = M::count * PairwiseFold<M, Op, T>::block_length;

  /// The row folded lane by lane: in blocks, and these pairwise. Most rows are one block.
  V in_lanes() {
    if (row.rank == 1 && row.inner() <= block_elements) return fold_block(0, row.inner());
    PairwiseFold<M, Op, T> total;
    walk_runs<M>(row, frame, [&] { fold_run(total); });
    return total.result();
  }
  void fold_run(PairwiseFold<M, Op, T>& total) const {
    for (std::int64_t j = 0, inner = row.inner(); j < inner; j += block_elements)
      total.push(fold_block(j, std::min(j + block_elements, inner)));
  }

  /// A tail counts to the last block. The loop reads a copy of the frame, so that its pointers stay
  /// in registers.
  V fold_block(std::int64_t j, std::int64_t end) const {
    F const own = frame;
    ValuesFrom<M, F> const values{own};
    FoldBlock<M, Op, V> block;
    if constexpr (cost<F> < cost_of_a_step && !KeepsRow<F>) j = block.by_fours(values, j, end);
    j = block.by_ones(values, j, end);
    if (j == end) return block.sum;
    int const left = static_cast<int>(end - j);
    return Op::f(block.sum, M::first(values.at(j, left), left, identity));
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

template <class M, class Op, class F>
inline constexpr int fold_depth<FoldFrame<M, Op, F>> = fold_depth<F> + 1;

}  // namespace tenon
