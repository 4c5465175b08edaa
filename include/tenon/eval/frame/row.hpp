#pragma once

#include <algorithm>

#include <tenon/eval/cost.hpp>
#include <tenon/eval/frame/block_operand.hpp>
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
    else Base::prepare_operand();
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

  using Operand = BlockOperand<Op, F>;
  using Added = typename Operand::type;
  template <int number>
  using Block = FoldBlock<M, Op, typename Added::V, number>;

  /// Chains of a block, of eight registers in all. (What costs more than adding it up has no need
  /// of several.)
  static constexpr bool is_cheap = cost<F> < cost_of_a_step && !KeepsRow<F>;
  static constexpr int chains = !is_cheap ? 1 : sizeof(typename Added::value_type) == 4 ? 8 : 4;
  static_assert(chains * PairwiseFold<M, Op, T>::block_length <= Operand::most_values);
  using Cut = RunsOfBlocks<M::count, chains, PairwiseFold<M, Op, T>::block_length>;

  /// The row folded lane by lane: in blocks, and these pairwise. Most rows are one block.
  V in_lanes() {
    std::int64_t const inner = row.inner();
    if (row.rank > 1 || inner > Cut::elements) return in_blocks();
    if (inner < 4 * M::count) return one_run<1>(Operand::of(frame), inner);
    return one_run<chains>(Operand::of(frame), inner);
  }
  template <int number>
  [[gnu::always_inline]] static V one_run(Added const own, std::int64_t n) {
    Block<number> block;
    block.run(ValuesFrom<M, Added>{own}, 0, n);
    return Operand::whole(block.total());
  }

  /// Short runs are folded several in a block, in whose registers the sums stay.
  [[gnu::noinline]] V in_blocks() {
    std::int64_t const inner = row.inner(), runs = count(row.sizes, row.rank - 1);
    std::int64_t const together = Cut::together(inner);
    PairwiseFold<M, Op, T> total;
    for (std::int64_t i = 0; i < runs; i += together) {
      std::int64_t const last = std::min(i + together, runs);
      for (std::int64_t j = 0; j < inner; j += Cut::elements) {
        V const sum = block(i, last, j, std::min(Cut::elements, inner - j));
        if (last == runs && j + Cut::elements >= inner) return total.result(sum);
        total.push(sum);
      }
    }
    return total.result();
  }

  /// The runs from i to `last`, n elements of each from j on. A tail counts to the last block.
  [[gnu::always_inline]] V block(std::int64_t i, std::int64_t last, std::int64_t j,
                                 std::int64_t n) {
    Block<chains> block;
    while (i < last) {
      std::int64_t const together = row.rank > 2 ? std::min(last - i, left_at(i)) : last - i;
      if (row.rank > 1) enter(i);
      fold_runs(Operand::of(frame), block, together, j, n);
      i += together;
    }
    return Operand::whole(block.total());
  }
  /// The loop reads a copy of the frame, so that its pointers stay in registers.
  [[gnu::always_inline]] static void fold_runs(Added own, Block<chains>& block, std::int64_t runs,
                                               std::int64_t j, std::int64_t n) {
    for (; runs > 0; --runs) {
      block.run(ValuesFrom<M, Added>{own}, j, n);
      own.step([](MemoryAccess& access) { access.now += access.inner_depth; });
    }
  }

  /// The number of runs from `run` to the end of the axis before the innermost one.
  std::int64_t left_at(std::int64_t run) const {
    std::int64_t const along = at(row.sizes, row.rank - 2);
    return along - run % along;
  }
  /// Goes to a run of the row, ready to go on to the next.
  void enter(std::int64_t run) {
    ElementIndex const middle = run == 0 ? ElementIndex{} : unravel(run, row.sizes, row.rank - 1);
    frame.step([&](MemoryAccess& access) {
      access.now = access.at + offset(access.row, middle, row.rank - 1);
      access.inner_depth = at(access.row, row.rank - 2);
    });
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
