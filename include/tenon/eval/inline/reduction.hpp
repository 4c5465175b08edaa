#pragma once

#include <algorithm>

#include <tenon/eval/frame/reduction_block.hpp>
#include <tenon/eval/inline/map.hpp>
#include <tenon/ir/fusion.hpp>
#include <tenon/op/reduction.hpp>

/// Reductions of inline tensors: the tree of sums is that of every other kernel.
namespace tenon::internal {

/// The axes of a reduction's operand in loop order, those of size one left out: first the kept
/// ones, then the reduced ones; of a reduction over columns, last the kept ones after all reduced
/// ones.
template <class F>
struct ReductionWalk;
template <class Op, class E, AxisBits reduced, bool keeps>
struct ReductionWalk<ReductionNode<Op, E, reduced, keeps>> {
  static constexpr bool is_column = is_column_reduction<ReductionNode<Op, E, reduced, keeps>>;
  static constexpr Sizes sizes = static_sizes(E::shape);
  enum Part { kept, reductions, lanes };

  static constexpr Part part(int axis) {
    if (has_axis(reduced, axis)) return reductions;
    bool const is_behind = (reduced >> axis) == 0;
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
    for (Part const wanted : {kept, reductions, lanes}) {
      for (int i = 0; i < E::shape.rank; ++i) {
        if (part(i) == wanted && at(sizes, i) != 1) order[to++] = static_cast<std::int8_t>(i);
      }
    }
    return order;
  }();
  static constexpr int apart = axes(kept) + (is_column ? axes(reductions) : 0);

  using Runs = InlineWalk<E, packed(order), apart>;

  /// Whether the columns of all tensors are contiguous. A run is then one row of them.
  static constexpr bool has_whole_lines = Runs::outer_rank == apart;
};

/// Whether a reduction can be evaluated by loops of constant length. (A row that a kernel reduces
/// in four chains is left to the kernel.)
template <class E>
inline constexpr bool is_inline_reduction = false;
template <class Op, class E, AxisBits axes, bool keeps>
  requires(is_inline_expression<E> && is_small<ReductionNode<Op, E, axes, keeps>> &&
           !op::PositionReduction<Op>)
inline constexpr bool is_inline_reduction<ReductionNode<Op, E, axes, keeps>> =
    !ReductionWalk<ReductionNode<Op, E, axes, keeps>>::is_column ||
    ReductionWalk<ReductionNode<Op, E, axes, keeps>>::has_whole_lines;

/// The reductions of an inline expression, computed in lanes.
template <class M, class F>
struct InlineReduction {
  using Op = typename F::op;
  using T = typename F::value_type;
  using V = typename M::template vector<T>;
  using Walk = ReductionWalk<F>;
  using Runs = typename Walk::Runs;
  static constexpr std::int64_t depth = Walk::elements(Walk::reductions);
  static constexpr T identity = Op::template identity<T>;

  F const& reduction;

  TENON_INLINE V values(std::int64_t run, std::int64_t element, int count) const {
    return inline_values<M, Runs, Runs::axes>(operand_at<0>(reduction), AtOrigin(),
                                              InlinePlace{run, element, count});
  }

  TENON_INLINE V reduced_run(V total, std::int64_t run) const {
    constexpr int left = static_cast<int>(Runs::run % M::count);
    std::int64_t j = 0;
    for (; j + M::count <= Runs::run; j += M::count) total = Op::f(total, values(run, j, M::count));
    if constexpr (left > 0) total = Op::f(total, M::first(values(run, j, left), left, identity));
    return total;
  }
  TENON_INLINE V block(std::int64_t first, std::int64_t last) const {
    V total = V(identity);
    for (std::int64_t i = first; i < last; ++i) total = reduced_run(total, i);
    return total;
  }

  /// One element of the result, over `runs` consecutive runs.
  template <std::int64_t runs>
  TENON_INLINE T row(std::int64_t first_run) const {
    constexpr int length = PairwiseReduction<M, Op, T>::block_length;
    constexpr std::int64_t together = RunsOfBlocks<M::count, 1, length>::together(Runs::run);
    if constexpr (runs <= together) {
      return M::template reduction<Op>(block(first_run, first_run + runs), M::count, identity);
    } else {
      PairwiseReduction<M, Op, T> total;
      for (std::int64_t i = 0; i < runs; i += together)
        total.push(block(first_run + i, first_run + (std::min)(i + together, runs)));
      return M::template reduction<Op>(total.result(), M::count, identity);
    }
  }

  /// Adjacent elements of the result, each over its own column.
  TENON_INLINE V columns(std::int64_t first_run, std::int64_t j, int count) const {
    if constexpr (depth < PairwiseReduction<M, Op, T>::block_length) {
      V total = V(identity);
      for (std::int64_t i = 0; i < depth; ++i)
        total = Op::f(total, values(first_run + i, j, count));
      return total;
    } else {
      PairwiseReduction<M, Op, T> total;
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
TENON_INLINE inline void fill_inline_reduction(F const& reduction, typename F::value_type* to) {
  InlineReduction<M, F> const held{reduction};
  if constexpr (ReductionWalk<F>::is_column) held.fill_columns(to);
  else held.fill_rows(to);
}

}  // namespace tenon::internal
