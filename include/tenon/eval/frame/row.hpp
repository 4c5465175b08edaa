#pragma once

#include <algorithm>
#include <new>

#include <tenon/eval/frame/equal.hpp>
#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/frame/reduction_block.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/op/reduction.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

/// A part of a row's formula that does not vary along the row: computed once per row.
template <class M, class F>
struct ScalarFrame : RowValue<M, ScalarFrame<M, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using V = typename F::V;
  using Base = RowValue<M, ScalarFrame, F, T>;
  using Base::frame;

  bool same(ScalarFrame const& other) const { return frame.same(other.frame); }

  T compute() { return M::lane(Trace<F>(Readers<F>(frame), 0, 1).value(), 0); }
  V compute_rows(RowGroup const&) {
    Readers<F> from(frame);
    from.select_all(frame);
    return Trace<F>(from, 0, M::count).value();
  }
  void backward_down(T adjoint) {
    Adjoints<F>(Writers<F>(frame), Trace<F>(Readers<F>(frame), 0, 1), typename F::V(adjoint), 0, 1);
  }
};

template <class M, class F>
inline constexpr int reduction_depth<ScalarFrame<M, F>> = reduction_depth<F>;

/// Whether a frame stores a row that the reduction directly over it may compute and reduce in one
/// pass.
template <class F>
concept KeepsRow = requires { typename F::RowReader; };

/// The values of the lanes of a formula from an element on. (Not a lambda, for the reason given at
/// `Neighbours`.)
template <class F>
struct ValuesFrom : Readers<F> {
  template <class Formula>
  TENON_INLINE explicit ValuesFrom(Formula const& formula) : Readers<F>(formula) {}
  TENON_INLINE typename F::V operator()(std::int64_t j, int n) const {
    return Trace<F>(*this, j, n).value();
  }
};
template <KeepsRow F>
struct ValuesFrom<F> : F::RowReader {
  TENON_INLINE explicit ValuesFrom(Formula<F> const& formula) : F::RowReader(nth<0>(formula)) {}
  template <class Distance>
  TENON_INLINE void advance(Formula<F> const& formula, Distance const& distance) {
    F::RowReader::advance(nth<0>(formula), distance);
  }
};

/// A reduction over the row: Op is associative; lanes are combined at the end in a fixed tree.
template <class M, class Op, class F>
struct ReductionFrame : RowValue<M, ReductionFrame<M, Op, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using V = typename F::V;
  using Base = RowValue<M, ReductionFrame, F, T>;
  using Base::frame;

  ScratchRow row;
  OwnAccesses walking;  ///< Accesses that walk along the row.

  bool same(ReductionFrame const& other) const {
    return row.rank == other.row.rank && row.sizes == other.row.sizes && frame.same(other.frame);
  }

  void prepare_operand() {
    if constexpr (KeepsRow<F>) nth<0>(frame).prepare_operand();
    else Base::prepare_operand();
  }
  T compute() { return M::template reduction<Op>(in_lanes(), M::count, identity); }

  V compute_rows(RowGroup const& group) {
    V each[std::size_t{M::count}];
    if (is_one_block()) reduce_short_rows(each, group);
    else reduce_long_rows(each, group);
    if (group.rows == 1) return V(M::template reduction<Op>(each[0], M::count, identity));
    for (std::int64_t i = group.rows; i < M::count; ++i) each[i] = V(identity);
    return M::template reductions<Op>(each);
  }

  void backward_down(T from_above) {
    if constexpr (KeepsRow<F> && std::same_as<Op, op::SumReduction>) {
      nth<0>(frame).backward_all(from_above, walking.get());
    } else if constexpr (op::SmoothReduction<Op>) {
      V const y = V(this->value);
      auto const share =
          Op::share(V(from_above), y, [&]<class Reduction, class Of>(Reduction, Of const& of) {
            return V(this->template reduced<Reduction>(of));
          });
      for (RowRuns run(row, walking.get()); run.left; run.go_on()) {
        Readers<F> const from(frame);
        Writers<F> const to(frame);
        walk_lanes<M>(0, row.inner(), [&](std::int64_t j, int n) {
          Trace<F> const x(from, j, n);
          Adjoints<F>(to, x, Op::backward(share, x.value(), y), j, n);
        });
      }
    }
  }

 private:
  static constexpr T identity = Op::template identity<T>;

  using Operand = BlockOperand<Op, F>;
  using Added = typename Operand::type;
  template <int number>
  using Block = ReductionBlock<M, Op, typename Added::V, number>;

  /// The number of chains in a block, eight registers in all. (An operand that costs more than its
  /// addition needs only one.)
  static constexpr bool is_cheap = cost<F> < cost_of_a_step && !KeepsRow<F>;
  static constexpr int chains = !is_cheap ? 1 : sizeof(typename Added::value_type) == 4 ? 8 : 4;
  static_assert(chains * PairwiseReduction<M, Op, T>::block_length <= Operand::most_values);
  using Cut = RunsOfBlocks<M::count, chains, PairwiseReduction<M, Op, T>::block_length>;

  /// The row reduced lane by lane: in blocks, and the blocks pairwise. Most rows are one block.
  V in_lanes() {
    std::int64_t const inner = row.inner();
    if (!is_one_block()) return in_blocks();
    if constexpr (chains > 1)
      if (inner < 4 * M::count) return one_run<1>(inner);
    return one_run<chains>(inner);
  }
  bool is_one_block() const { return row.rank == 1 && row.inner() <= Cut::elements; }
  template <int number>
  TENON_INLINE V one_run(std::int64_t n) const {
    Block<number> block;
    reduction_runs_here(frame, block, 1, 0, n);
    return Operand::whole(block.total());
  }
  TENON_INLINE void reduce_short_rows(V* each, RowGroup const& group) const {
    if constexpr (chains > 1)
      if (row.inner() < 4 * M::count) return reduce_rows<1>(each, group);
    reduce_rows<chains>(each, group);
  }
  /// One block each. (Addresses stay in registers: moving the accesses of each row in turn takes
  /// longer than a short row.)
  template <int number>
  TENON_INLINE void reduce_rows(V* each, RowGroup const& group) const {
    int const axis = group.axis();
    ValuesFrom<Added> own(frame);
    for (std::int64_t i = 0; i < group.rows; ++i) {
      Block<number> block;
      own.select_row(frame, i);
      block.run(own, 0, row.inner());
      each[i] = Operand::whole(block.total());
      own.advance(frame, [=](MemoryAccess const& access) { return at(access.stride, axis); });
    }
  }
  void reduce_long_rows(V* each, RowGroup const& group) {
    for (std::int64_t i = 0; i < group.rows; ++i) {
      if (i > 0) group.advance(1);
      frame.select_row(i);
      each[i] = in_blocks();
    }
    group.advance(1 - group.rows);
  }

  /// How the row is cut into blocks. Several short runs are reduced in one block, so that the sums
  /// stay in registers.
  struct Blocks {
    std::int64_t inner, runs, together, along, count;

    explicit Blocks(ScratchRow const& row)
        : inner(row.inner()),
          runs(tenon::internal::count(row.sizes, row.rank - 1)),
          together(Cut::together(inner)),
          along((inner + Cut::elements - 1) / Cut::elements),
          count((runs + together - 1) / together * along) {}
  };

  [[gnu::noinline]] V in_blocks() {
    Blocks const blocks(row);
    PairwiseReduction<M, Op, T> total;
    if (blocks.count == 0) return total.result();
    std::int64_t const last = blocks.count - 1;
    for (std::int64_t k = push_groups(total, blocks); k < last; ++k)
      total.push(block_at(blocks, k));
    return total.result(block_at(blocks, last));
  }

  /// Blocks before the last one in groups, several at a time on threads: the tree of pairs is the
  /// same. The number of blocks that were added.
  std::int64_t push_groups(PairwiseReduction<M, Op, T>& total, Blocks const& blocks) {
    constexpr std::uint64_t level = chains == 1 ? 6 : 4;  // 2^16 to 2^17 floats in a group
    constexpr std::int64_t group = std::int64_t{1} << level;
    std::int64_t const groups = (blocks.count - 1) / group;
    if (KeepsRow<F> || groups < 2) return 0;
    SharedBuffer const memory(static_cast<std::size_t>(groups) * sizeof(V));
    M::parallel_for(groups, [&](std::int64_t g) {
      ReductionFrame own = *this;  // its accesses move
      PairwiseReduction<M, Op, T> part;
      for (std::int64_t k = 0; k < group; ++k) part.push(own.block_at(blocks, g * group + k));
      ::new (memory.as<V>() + g) V(part.total_of(level));
    });
    for (std::int64_t g = 0; g < groups; ++g) total.push(memory.as<V>()[g], level);
    return groups * group;
  }

  V block_at(Blocks const& blocks, std::int64_t number) {
    std::int64_t const i = number / blocks.along * blocks.together;
    std::int64_t const j = number % blocks.along * Cut::elements;
    return block(i, (std::min)(i + blocks.together, blocks.runs), j,
                 (std::min)(Cut::elements, blocks.inner - j));
  }

  /// The runs from i to `last`, n elements of each from j on. A tail belongs to the last block.
  TENON_INLINE V block(std::int64_t i, std::int64_t last, std::int64_t j, std::int64_t n) {
    Block<chains> block;
    while (i < last) {
      std::int64_t const together = row.rank > 2 ? (std::min)(last - i, left_at(i)) : last - i;
      if (row.rank > 1) enter(i);
      reduction_runs(frame, block, together, j, n);
      i += together;
    }
    return Operand::whole(block.total());
  }
  /// Continues the reduction over runs of a long row. The loop over a costly operand is a separate
  /// function.
  template <int number>
  TENON_INLINE static void reduction_runs(Formula<F> const& frame, Block<number>& block,
                                          std::int64_t runs, std::int64_t j, std::int64_t n) {
    if constexpr (is_cheap) reduction_runs_here(frame, block, runs, j, n);
    else reduction_costly_runs(frame, block, runs, j, n);
  }
  [[gnu::noinline]] static void reduction_costly_runs(Formula<F> const& frame, Block<1>& block,
                                                      std::int64_t runs, std::int64_t j,
                                                      std::int64_t n) {
    Block<1> own = block;  // no store can alias it
    reduction_runs_here(frame, own, runs, j, n);
    block = own;
  }
  template <int number>
  TENON_INLINE static void reduction_runs_here(Formula<F> const& frame, Block<number>& block,
                                               std::int64_t runs, std::int64_t j, std::int64_t n) {
    ValuesFrom<Added> own(frame);
    while (true) {
      block.run(own, j, n);
      if (--runs == 0) return;
      own.advance(frame, [](MemoryAccess const& access) { return access.inner_depth; });
    }
  }

  /// The number of runs from `run` to the end of the axis before the innermost one.
  std::int64_t left_at(std::int64_t run) const {
    std::int64_t const along = at(row.sizes, row.rank - 2);
    return along - run % along;
  }
  /// Moves to a run of the row, so that advancing reaches the next one.
  void enter(std::int64_t run) {
    ElementIndex const middle = run == 0 ? ElementIndex{} : unravel(run, row.sizes, row.rank - 1);
    walking.get().each([&](MemoryAccess& access) {
      access.now = access.at + offset(access.row, middle, row.rank - 1);
      access.inner_depth = at(access.row, row.rank - 2);
    });
  }

  /// `of` of every element, reduced.
  template <class Reduction, class Of>
  T reduced(Of const& of) {
    constexpr T none = Reduction::template identity<T>;
    V total = V(none);
    for (RowRuns run(row, walking.get()); run.left; run.go_on()) {
      Readers<F> const from(frame);
      walk_lanes<M>(0, row.inner(), [&](std::int64_t j, int n) {
        V const x = of(Trace<F>(from, j, n).value());
        total = Reduction::f(total, n == M::count ? x : M::first(x, n, none));
      });
    }
    return M::template reduction<Reduction>(total, M::count, none);
  }
};

template <class M, class Op, class F>
inline constexpr int reduction_depth<ReductionFrame<M, Op, F>> = reduction_depth<F> + 1;

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
    for (RowRuns run(row, walking.get()); run.left; run.go_on()) {
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
