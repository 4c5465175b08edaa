#pragma once

#include <tenon/eval/kernel.hpp>
#include <tenon/eval/row_group.hpp>
#include <tenon/eval/rows/driver.hpp>
#include <tenon/eval/rows/store.hpp>

namespace tenon::internal {

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

/// Stores the runs of a row: one function for all formulas of a dtype.
template <class M, class T>
[[gnu::noinline]] void store_runs(RowLayout const& kernel, Accesses const& accesses,
                                  std::int64_t begin, std::int64_t end, StoreRun<T> store) {
  T* const to = reinterpret_cast<T*>(kernel.out.gradient);
  for (RowRuns run(kernel.row, accesses); run.left; run.go_on())
    store_blocks(kernel, store, to + kernel.out.now, begin, end);
}

/// Computes one row (or chunk of a row) of a result.
template <class M, class T, class K>
void run_row(RowLayout& layout, Accesses const& accesses, std::int64_t begin, std::int64_t end) {
  using F = typename K::frame_type;
  K& kernel = static_cast<K&>(layout);
  T* const to = reinterpret_cast<T*>(kernel.out.gradient);
  if constexpr (K::is_of_reductions && !K::is_of_scalar_rows) {
    if (kernel.shares_in_result) share_row_in(kernel, to + kernel.out.at);
  }
  if constexpr (has_row_values<F>) kernel.frame.prepare();
  if constexpr (K::is_of_scalar_rows) {
    to[kernel.out.at] = M::lane(Trace<F>(Readers<F>(kernel.frame), 0, 1).value(), 0);
  } else {
    T* const run = to + kernel.out.now + begin;
    if (kernel.row.rank == 1 && kernel.out.inner == 1)
      store_values<M, F>(kernel.frame, run, begin, end, kernel.past_caches && M::is_aligned(run));
    else
      store_runs<M, T>(layout, accesses, begin, end,
                       [](RowLayout const& of, T* at, std::int64_t first, std::int64_t last) {
                         store_values<M, F>(static_cast<K const&>(of).frame, at, first, last);
                       });
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
  if constexpr (groups_rows<K>)
    run_forward(loops_of<Backend>,
                kernel_at_work(kernel, &run_row_group<M, T, K>, rows_in_group<M>(kernel)));
  else run_forward(loops_of<Backend>, kernel_at_work(kernel, &run_row<M, T, K>));
}

}  // namespace tenon::internal
