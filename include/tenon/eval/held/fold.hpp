#pragma once

#include <algorithm>

#include <tenon/eval/frame/fold_block.hpp>
#include <tenon/eval/held/map.hpp>
#include <tenon/eval/pairwise.hpp>
#include <tenon/eval/settle.hpp>

/// Reductions of inline tensors: the tree of sums is that of every other kernel.
namespace tenon {

/// The axes of a reduction's operand in loop order, those of size one left out: first the kept
/// ones, then the reduced ones; of a reduction over columns, last the kept ones after all reduced
/// ones.
template <class F>
struct FoldWalk;
template <class Op, class E, AxisBits folded, bool keeps>
struct FoldWalk<Fold<Op, E, folded, keeps>> {
  static constexpr bool is_column = is_column_fold<Fold<Op, E, folded, keeps>>;
  static constexpr Sizes sizes = static_sizes(E::shape);
  enum Part { kept, folds, lanes };

  static constexpr Part part(int axis) {
    if (has_axis(folded, axis)) return folds;
    bool const is_behind = (folded >> axis) == 0;
    return is_column && is_behind ? lanes : kept;
  }
  /// The number of elements, or of axes longer than one, in one part.
  static constexpr std::int64_t elements(Part wanted) {
    std::int64_t elements = 1;
    for (int i = 0; i < E::shape.rank; ++i) elements *= part(i) == wanted ? at(sizes, i) : 1;
    return elements;
  }
  static constexpr int axes(Part wanted) {
    int axes = 0;
    for (int i = 0; i < E::shape.rank; ++i) axes += part(i) == wanted && at(sizes, i) != 1;
    return axes;
  }
  static constexpr AxisMap order = [] {
    AxisMap order = no_axes();
    std::size_t to = 0;
    for (Part const wanted : {kept, folds, lanes}) {
      for (int i = 0; i < E::shape.rank; ++i) {
        if (part(i) == wanted && at(sizes, i) != 1) order[to++] = static_cast<std::int8_t>(i);
      }
    }
    return order;
  }();
  static constexpr int apart = axes(kept) + (is_column ? axes(folds) : 0);

  using Runs = HeldWalk<E, packed(order), apart>;

  /// Whether the columns of all tensors are contiguous. A run is then one row of them.
  static constexpr bool has_whole_lines = Runs::outer_rank == apart;
};

/// Whether a reduction can be evaluated by loops of constant length. (A row that a kernel reduces
/// in four chains is left to the kernel.)
template <class E>
inline constexpr bool is_held_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
  requires(is_held<E> && is_small<Fold<Op, E, axes, keeps>> && !op::PositionFold<Op>)
inline constexpr bool is_held_fold<Fold<Op, E, axes, keeps>> =
    !FoldWalk<Fold<Op, E, axes, keeps>>::is_column ||
    FoldWalk<Fold<Op, E, axes, keeps>>::has_whole_lines;

/// The reductions of an inline expression, computed in lanes.
template <class M, class F>
struct HeldFold {
  using Op = typename F::op;
  using T = typename F::value_type;
  using V = typename M::template vector<T>;
  using Walk = FoldWalk<F>;
  using Runs = typename Walk::Runs;
  static constexpr std::int64_t depth = Walk::elements(Walk::folds);
  static constexpr T identity = Op::template identity<T>;

  F const& fold;

  TENON_INLINE V values(std::int64_t run, std::int64_t element, int count) const {
    return held_values<M, Runs, Runs::axes>(operand_at<0>(fold), AtOrigin(),
                                            HeldPlace{run, element, count});
  }

  TENON_INLINE V folded_run(V total, std::int64_t run) const {
    constexpr int left = static_cast<int>(Runs::run % M::count);
    std::int64_t j = 0;
    for (; j + M::count <= Runs::run; j += M::count) total = Op::f(total, values(run, j, M::count));
    if constexpr (left > 0) total = Op::f(total, M::first(values(run, j, left), left, identity));
    return total;
  }
  TENON_INLINE V block(std::int64_t first, std::int64_t last) const {
    V total = V(identity);
    for (std::int64_t i = first; i < last; ++i) total = folded_run(total, i);
    return total;
  }

  /// One element of the result, over `runs` consecutive runs.
  template <std::int64_t runs>
  TENON_INLINE T row(std::int64_t first_run) const {
    constexpr int length = PairwiseFold<M, Op, T>::block_length;
    constexpr std::int64_t together = RunsOfBlocks<M::count, 1, length>::together(Runs::run);
    if constexpr (runs <= together) {
      return M::template fold<Op>(block(first_run, first_run + runs), M::count, identity);
    } else {
      PairwiseFold<M, Op, T> total;
      for (std::int64_t i = 0; i < runs; i += together)
        total.push(block(first_run + i, first_run + std::min(i + together, runs)));
      return M::template fold<Op>(total.result(), M::count, identity);
    }
  }

  /// Adjacent elements of the result, each over its own column.
  TENON_INLINE V columns(std::int64_t first_run, std::int64_t j, int count) const {
    if constexpr (depth < PairwiseFold<M, Op, T>::block_length) {
      V total = V(identity);
      for (std::int64_t i = 0; i < depth; ++i)
        total = Op::f(total, values(first_run + i, j, count));
      return total;
    } else {
      PairwiseFold<M, Op, T> total;
      for (std::int64_t i = 0; i < depth; ++i) total.add(values(first_run + i, j, count));
      return total.result();
    }
  }

  TENON_INLINE void fill_rows(T* to) const {
    constexpr std::int64_t rows = Walk::elements(Walk::kept);
    constexpr std::int64_t runs = rows == 0 ? 0 : Runs::runs / rows;
    for (std::int64_t row = 0; row < rows; ++row) to[row] = this->template row<runs>(row * runs);
  }

  TENON_INLINE void fill_columns(T* to) const {
    constexpr std::int64_t width = Walk::elements(Walk::lanes);
    constexpr int left = static_cast<int>(width % M::count);
    for (std::int64_t row = 0; row < Walk::elements(Walk::kept); ++row, to += width) {
      std::int64_t j = 0;
      for (; j + M::count <= width; j += M::count)
        M::store(columns(row * depth, j, M::count), to + j);
      if constexpr (left > 0) M::store(columns(row * depth, j, left), to + j, left);
    }
  }
};

/// Stores every element of the reduction of an inline expression, row-major.
template <class M, class F>
TENON_INLINE inline void fill_held_fold(F const& fold, typename F::value_type* to) {
  HeldFold<M, F> const held{fold};
  if constexpr (FoldWalk<F>::is_column) held.fill_columns(to);
  else held.fill_rows(to);
}

}  // namespace tenon
