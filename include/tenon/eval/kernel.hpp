#pragma once

#include <tenon/eval/evaluate_first.hpp>
#include <tenon/eval/frame/common_subexpressions.hpp>
#include <tenon/eval/frame/lower.hpp>
#include <tenon/eval/row_group.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/ir/fusion.hpp>

namespace tenon::internal {

/// Bytes for a shared row, in whole cache lines.
template <class F>
std::size_t scratch_for(F const& shared) {
  auto const bytes = static_cast<std::size_t>(shared.elements()) * sizeof(typename F::T);
  return (bytes + 63) / 64 * 64;
}

/// A kernel ready to run. `M` is the machine, `F` the frame of the formula.
template <class M, class F, bool is_scalar, bool reductions>
struct FusedKernel : RowLayout {
  using frame_type = F;
  static constexpr bool is_of_scalar_rows = is_scalar, is_of_reductions = reductions;

  Formula<F> frame;

  FusedKernel() {  // otherwise g++ zeroes the whole kernel first
    has_scalar_rows = is_scalar;
    has_reductions = reductions;
  }

  /// Bytes of working memory for the shared rows.
  std::size_t scratch_bytes() {
    std::size_t bytes = 0;
    frame.rows([&](auto& shared) { bytes += scratch_for(shared); });
    return bytes;
  }
  void place_scratch(std::byte* scratch) {
    frame.rows([&](auto& shared) {
      shared.place(reinterpret_cast<typename Unqualified<decltype(shared)>::T*>(scratch));
      scratch += scratch_for(shared);
    });
  }
  /// Called before the backward sweep of a row.
  void clear_adjoints() {
    frame.rows([](auto& shared) { shared.clear_adjoints(); });
  }
};

/// Collects properties of the reductions of a kernel: which of them are equal, and how long the
/// longest row is.
struct RowNotes : SharedFrames {
  std::int64_t work = 1;

  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    if constexpr (requires { frame.row; }) work = (std::max)(work, frame.row.size());
    return SharedFrames::enter(frame);
  }
};

/// Makes the first of equal subexpressions compute for the others.
template <class K>
void note_equals(K& kernel) {
  RowNotes notes;
  kernel.frame.share(notes);
  kernel.row_work = (std::max)(notes.work, kernel.row_work);
}

/// The frame of a kernel, in which subexpressions that occur several times in a row are shared.
template <bool reductions, class F>
struct FrameOfKernel {
  using type = F;
};
template <class F>
struct FrameOfKernel<true, F> {
  using type = WithSharedRows<F, F>;
};

/// Whether the kernel of a materialized expression may walk along its result and reduce lane by
/// lane.
template <class E>
inline constexpr bool walks_along_result = reduces_in_lanes<E> && walked_rank(E::shape) > 0;

/// Whether one that only computes values reduces some rows at a time instead. Lanes are faster for
/// fewer than 5 elements.
template <class M, class E>
inline constexpr bool groups_short_rows = false;
template <class M, class E>
  requires(walks_along_result<E> && longest_reduction<E> > 4)
inline constexpr bool groups_short_rows<M, E> = is_faster_in_groups<FrameOf<M, -1, 0, E>>;

/// The kernel of a materialized expression. With `merges`, adjacent rows of the result may be one
/// row; with `by_row` it does not reduce lane by lane. `out` has strides over the axes of `E`. (It
/// is constructed in place: g++ before 14 copies a value returned from an inner block.)
template <class M, bool merges = true, bool by_row = false, class E>
auto bind(E const& e, MemoryAccess const& out, Tape* tape) {
  constexpr bool lanes = walks_along_result<E> && !by_row;
  constexpr int rank = lanes ? walked_rank(E::shape) : E::shape.rank;
  constexpr bool reductions = has_reduction<E> && !lanes;
  constexpr int row_axes = reductions ? wanted_row<E> : (rank > 0 ? 1 : 0);
  constexpr int inner = row_axes > 0 ? rank - 1 : -1;
  constexpr AxisBits row = last_axes(rank, row_axes);
  using F = typename FrameOfKernel<reductions, FrameOf<M, inner, row, E>>::type;
  FusedKernel<M, F, row_axes == 0, reductions> kernel;
  Lowering lowering(tape, &kernel.frame, &e);
  lowering.run(lower_steps<F, E>.data(), lower_steps<F, E>.size());
  kernel.out = out;
  lowering.accesses.add(kernel.out);
  kernel.arrange(lowering.accesses, e.sizes(), rank, row_axes, merges);
  if constexpr (reductions && row_axes > 0) kernel.frame.enter_row(kernel.row);
  if constexpr (lanes) kernel.element_work = longest_short<F>;
  if constexpr (is_column_reduction<E>) kernel.element_work = nth<0>(kernel.frame).length();
  if constexpr (has_row_values<F>) note_equals(kernel);
  return kernel;
}

}  // namespace tenon::internal
