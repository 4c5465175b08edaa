#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/contraction.hpp>

/// Reductions of a contraction in its kernel: some rows of the contraction are computed, and then
/// reduced while they are in a cache. The next ones have the same memory, unless the contraction is
/// used later.
namespace tenon::internal {

/// The memory of a contraction, or of some of its rows.
struct RowsOfProduct {
  std::byte* memory;
  std::int64_t rows;       ///< Of the memory.
  std::int64_t row_bytes;  ///< Of a row.

  /// The rows that are computed at once: half a megabyte, and many for a matmul.
  static std::int64_t at_once(std::int64_t row_bytes);

  /// Where row 0 would be while the rows from `first` on are in memory.
  std::byte* base(std::int64_t first) const { return memory - first / rows * rows * row_bytes; }
};

/// Computes the rows from `first` to `last` of a kernel, on several threads.
template <class Backend>
void run_some_rows(KernelAtWork const& work, std::int64_t first, std::int64_t last) {
  std::size_t const bytes = work.copy_bytes();
  std::int64_t const each =
      std::max<std::int64_t>(1, chunk_elements / std::max<std::int64_t>(1, work.layout->row_work));
  Backend::parallel_for((last - first + each - 1) / each, bytes + work.row_bytes,
                        [&](std::int64_t chunk, std::byte* scratch) {
                          KernelAtWork const own = work.copied(scratch);
                          if (own.place != nullptr) own.place(*own.layout, scratch + bytes);
                          std::int64_t const begin = first + chunk * each;
                          run_rows(own, begin, (std::min)(begin + each, last), 0,
                                   own.layout->row.inner());
                        });
}

/// The access of a kernel to memory.
MemoryAccess& access_to(Accesses const& accesses, std::byte const* memory);

/// Whether the rows of a plan are those of its result, of that many elements.
template <class T>
bool has_plain_rows(ProductPlan<T> const& plan, std::int64_t rows, std::int64_t columns) {
  return !plan.scattered && !plan.direct && !plan.winograd && plan.batch.count() == 1 &&
         plan.matrix.m == rows && plan.matrix.n == columns &&
         (rows == 1 || plan.matrix.c_row == columns);
}

/// Computes a contraction and a kernel that reduces its rows.
template <class Backend, bool stepped, class T>
void run_row_slices(ProductPlan<T> const& plan, RowsOfProduct const& of, KernelAtWork const& work) {
  MemoryAccess& access = access_to(work.accesses, of.memory);
  std::int64_t const at_once = (std::min)(of.rows, RowsOfProduct::at_once(of.row_bytes));
  for (std::int64_t first = 0; first < plan.matrix.m; first += at_once) {
    ProductPlan<T> part = plan;
    std::byte* const base = of.base(first);
    part.matrix.c = reinterpret_cast<Computed<T>*>(base);
    part.matrix = part.matrix.rows(first, at_once);
    access.data = base;
    Backend::template multiply<stepped>(part, AfterPart<T>{});
    run_some_rows<Backend>(work, first, first + part.matrix.m);
  }
}

/// Computes a contraction and `e`, which reads it in the memory `of` and reduces each of its
/// `rows` rows, to `out`.
template <class Backend, class P, class E>
void run_plan_with_reduction(P const& product, RowsOfProduct const& of, std::int64_t rows,
                             E const& e, MemoryAccess const& out) {
  using M = typename Backend::machine;
  using S = typename P::value_type;
  auto kernel = tenon::internal::bind<M, false, true>(e, out, nullptr);
  using K = decltype(kernel);
  auto const work = kernel_at_work(kernel, &run_row<M, typename E::value_type, K>);
  std::int64_t const columns = of.row_bytes / static_cast<std::int64_t>(sizeof(S));
  with_plan<Backend>(product, reinterpret_cast<S*>(of.memory), [&](auto& plan) {
    constexpr bool stepped = reads_any_steps<P>;
    using T = typename Unqualified<decltype(*plan)>::value_type;
    if (plan && work.layout->rows() == rows && has_plain_rows(*plan, rows, columns))
      return run_row_slices<Backend, stepped>(*plan, of, work);
    SharedBuffer const whole(static_cast<std::size_t>(rows > of.rows ? rows * of.row_bytes : 0));
    if (rows > of.rows) {
      access_to(work.accesses, of.memory).data = whole.as<std::byte>();
      if (plan) plan->matrix.c = whole.as<Computed<T>>();
    }
    if (plan) run_contraction<Backend, P>(*plan, AfterPart<T>{});
    run_some_rows<Backend>(work, 0, work.layout->rows());
  });
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME std::int64_t RowsOfProduct::at_once(std::int64_t row_bytes) {
  constexpr std::int64_t bytes = std::int64_t{1} << 19, multiple = 32;
  return std::max<std::int64_t>(16 * multiple,
                                bytes / std::max<std::int64_t>(row_bytes, 1) / multiple * multiple);
}

TENON_RUNTIME MemoryAccess& access_to(Accesses const& accesses, std::byte const* memory) {
  MemoryAccess* found = nullptr;
  accesses.each([&](MemoryAccess& access) {
    if (access.data == memory) found = &access;
  });
  return *found;
}

}  // namespace tenon::internal

#endif
