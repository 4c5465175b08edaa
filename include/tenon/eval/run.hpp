#pragma once

#include <tenon/eval/kernel.hpp>
#include <tenon/eval/row_driver.hpp>
#include <tenon/eval/store.hpp>

namespace tenon {

/// Computes one row (or piece) of a result.
template <class M, class T, class K>
void run_row(RowLayout& layout, Accesses const& accesses, std::int64_t begin, std::int64_t end) {
  using F = decltype(K::frame);
  K& kernel = static_cast<K&>(layout);
  T* const to = reinterpret_cast<T*>(kernel.out.gradient);
  kernel.frame.prepare();
  if constexpr (K::has_scalar_rows) {
    to[kernel.out.at] = M::lane(F::of(kernel.frame.trace(0, 1)), 0);
  } else {
    for (RowRuns run(kernel.row, accesses); run.left; run.go_on())
      store_run<M>(kernel.frame, kernel, to + kernel.out.now, begin, end);
  }
}

/// Computes every element of a settled recipe and stores it to `out`.
template <class Backend, class E>
void run(E const& e, MemoryAccess const& out) {
  using M = typename Backend::machine;
  using T = typename E::value_type;
  auto kernel = tenon::bind<M>(e, out, nullptr);
  using K = decltype(kernel);
  if constexpr (may_store_past_caches<decltype(K::frame), M>)
    kernel.past_caches = kernel.out.inner == 1 && kernel.out_bytes() >= bytes_past_caches;
  run_forward<Backend>(kernel_at_work(kernel, &run_row<M, T, K>), chunks_of(kernel));
}

}  // namespace tenon
