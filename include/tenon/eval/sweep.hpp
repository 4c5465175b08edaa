#pragma once

#include <tenon/eval/frame/backward.hpp>
#include <tenon/eval/run.hpp>

namespace tenon::internal {

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

/// Sweeps the runs of a row: one function for all formulas of a dtype.
template <class T>
[[gnu::noinline]] void sweep_runs(RowLayout& kernel, Accesses const& accesses, std::int64_t begin,
                                  std::int64_t end,
                                  void (*sweep)(RowLayout&, T const*, std::int64_t, std::int64_t)) {
  T const* const from = reinterpret_cast<T const*>(kernel.out.data);
  for (RowRuns run(kernel.row, accesses); run.left; run.go_on())
    sweep(kernel, from + kernel.out.now, begin, end);
}

/// Passes the adjoint of one row (or chunk of a row) back to all leaves: the reductions of the row
/// forward, then its elements, then the reductions backward. (An adjoint is row-major: its rows are
/// contiguous.)
template <class M, class T, class K>
void sweep_row(RowLayout& layout, Accesses const& accesses, std::int64_t begin, std::int64_t end) {
  K& kernel = static_cast<K&>(layout);
  using F = typename K::frame_type;
  if constexpr (groups_rows<K>) {  // the functions that also compute the result
    kernel.frame.prepare_rows(RowGroup{layout, accesses, 1});
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
      sweep_run<M, T, K>(layout, reinterpret_cast<T const*>(kernel.out.data) + kernel.out.now,
                         begin, end);
    else sweep_runs<T>(layout, accesses, begin, end, &sweep_run<M, T, K>);
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
