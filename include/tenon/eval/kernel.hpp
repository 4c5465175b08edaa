#pragma once

#include <tenon/eval/frame/common_subexpressions.hpp>
#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/frame/lower.hpp>
#include <tenon/eval/rows/driver.hpp>
#include <tenon/eval/rows/group.hpp>
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
inline constexpr bool walks_along_result = reduces_in_lanes<E> && rank_of_walk(E::shape) > 0;

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
  constexpr int rank = lanes ? rank_of_walk(E::shape) : E::shape.rank;
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

/// Whether a shared row may use the memory of the result's row. This saves fetching the memory of
/// the result. Not if that memory is read, as in an epilogue.
template <class K>
bool may_share_in_result(K& kernel) {
  if (kernel.row.rank != 1 || kernel.out.inner != 1 || kernel.past_caches) return false;
  std::byte const* const begin = kernel.out.data;
  std::byte const* const end = begin + kernel.out_bytes();
  return kernel.accesses().all([&](MemoryAccess& access) {
    return &access == &kernel.out || access.data >= end ||
           access.data + access.count * access.element_bytes <= begin;
  });
}

/// Places the first shared row of the dtype of the result at `to`.
template <class T, class K>
void share_row_in(K& kernel, T* to) {
  kernel.frame.rows([&](auto& shared) {
    if constexpr (std::same_as<typename Unqualified<decltype(shared)>::T, T>) {
      if (to != nullptr && shared.row.inner() == kernel.row.inner()) shared.values = to;
      to = nullptr;
    }
  });
}

/// Computes the elements [begin, end) of a row of a result, whose row values are those of
/// `prepare`.
template <class M, class T, class K>
void store_row(K& kernel, RowGroup const& group, std::int64_t begin, std::int64_t end) {
  using F = typename K::frame_type;
  T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.now + begin;
  if (kernel.row.rank == 1 && kernel.out.inner == 1)
    store_values<M, F>(kernel.frame, to, begin, end, kernel.past_caches && M::is_aligned(to));
  else
    store_runs<T>(
        group, 0, begin, end,
        [](RowGroup const& of, std::int64_t, T* at, std::int64_t first, std::int64_t last) {
          store_values<M, F>(static_cast<K&>(of.layout).frame, at, first, last);
        });
}

/// Computes the elements [begin, end) of a row of a result, or of several rows.
template <class M, class T, class K>
void run_row(RowGroup const& group, std::int64_t begin, std::int64_t end) {
  using F = typename K::frame_type;
  K& kernel = static_cast<K&>(group.layout);
  [[maybe_unused]] T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.at;
  if constexpr (groups_rows<K>) {
    kernel.frame.prepare_rows(group);
    if constexpr (K::is_of_scalar_rows) store_scalar_rows<M, T>(kernel, group);
    else store_group<M, T>(kernel, group, begin, end);
  } else {
    if constexpr (K::is_of_reductions && !K::is_of_scalar_rows)
      if (kernel.shares_in_result) share_row_in(kernel, to);
    if constexpr (has_row_values<F>) kernel.frame.prepare();
    if constexpr (K::is_of_scalar_rows)
      *to = M::lane(Trace<F>(Readers<F>(kernel.frame), 0, 1).value(), 0);
    else store_row<M, T>(kernel, group, begin, end);
  }
}

/// Computes every element of a materialized expression and stores it to `out`.
template <class Backend, class E>
void run_fused(E const& e, MemoryAccess const& out) {
  using M = typename Backend::machine;
  using T = typename E::value_type;
  auto kernel = tenon::internal::bind<M, true, groups_short_rows<M, E>>(e, out, nullptr);
  using K = decltype(kernel);
  if constexpr (may_store_past_caches<typename K::frame_type, M>)
    kernel.past_caches = kernel.out.inner == 1 && kernel.out_bytes() >= bytes_past_caches;
  if constexpr (K::is_of_reductions && !K::is_of_scalar_rows)
    kernel.shares_in_result = may_share_in_result(kernel);
  run_forward(loops_of<Backend>,
              kernel_at_work(kernel, &run_row<M, T, K>, rows_at_once<M>(kernel)));
}

/// Adds the adjoint of the elements [begin, end) of a run of a kernel, the first at `from + begin`,
/// to the adjoints of the inputs.
template <class M, class T, class K>
[[gnu::noinline]] void sweep_run(RowLayout& kernel, T const* from, std::int64_t begin,
                                 std::int64_t end) {
  using F = typename K::frame_type;
  Readers<F> const inputs(static_cast<K&>(kernel).frame);
  Writers<F> const to(static_cast<K&>(kernel).frame);
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count)
    Adjoints<F>(to, Trace<F>(inputs, j, M::count), M::load(from + j), j, M::count);
  if (j == end) return;
  int const left = tail_lanes<M>(end - j);
  Adjoints<F>(to, Trace<F>(inputs, j, left), M::load(from + j, left), j, left);
}

/// Sweeps the elements [begin, end) of a run, of which `from` are the adjoints.
template <class T>
using SweepRun = void (*)(RowLayout& kernel, T const* from, std::int64_t begin, std::int64_t end);

/// Sweeps the runs of a row: one function for all formulas of a dtype.
template <class T>
[[gnu::noinline]] void sweep_runs(RowGroup const& row, std::int64_t begin, std::int64_t end,
                                  SweepRun<T> sweep) {
  RowLayout& kernel = row.layout;
  T const* const from = reinterpret_cast<T const*>(kernel.out.data);
  for (RowRuns run(kernel.row, row.accesses); run.left; run.go_on())
    sweep(kernel, from + kernel.out.now, begin, end);
}

/// Passes the adjoint of one row (or chunk of a row) back to all leaves: the reductions of the row
/// forward, then its elements, then the reductions backward. (An adjoint is row-major: its rows are
/// contiguous.)
template <class M, class T, class K>
void sweep_row(RowGroup const& row, std::int64_t begin, std::int64_t end) {
  K& kernel = static_cast<K&>(row.layout);
  using F = typename K::frame_type;
  if constexpr (groups_rows<K>) {  // the functions that also compute the result
    kernel.frame.prepare_rows(row);
  } else if constexpr (has_row_values<F>) {
    kernel.clear_adjoints();
    kernel.frame.prepare();
  }
  if constexpr (K::is_of_scalar_rows) {
    Adjoints<F>(
        Writers<F>(kernel.frame), Trace<F>(Readers<F>(kernel.frame), 0, 1),
        typename M::template vector<T>(reinterpret_cast<T const*>(kernel.out.data)[kernel.out.at]),
        0, 1);
  } else {
    if (kernel.row.rank == 1)
      sweep_run<M, T, K>(kernel, reinterpret_cast<T const*>(kernel.out.data) + kernel.out.now,
                         begin, end);
    else sweep_runs<T>(row, begin, end, &sweep_run<M, T, K>);
  }
  if constexpr (has_row_values<F>) kernel.frame.back();
}

/// The backward of a materialized expression: adds its adjoint, stored at `adjoint`, to those of
/// its leaves.
template <class Backend, class E>
void sweep(E const& e, MemoryAccess const& adjoint, Tape& tape) {
  using M = typename Backend::machine;
  auto kernel = tenon::internal::bind<M>(e, adjoint, &tape);
  run_sweep(loops_of<Backend>,
            kernel_at_work(kernel, &sweep_row<M, typename E::value_type, decltype(kernel)>),
            chunks_of(kernel));
}

}  // namespace tenon::internal
