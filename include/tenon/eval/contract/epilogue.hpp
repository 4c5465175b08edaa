#pragma once

#include <utility>

#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/run.hpp>
#include <tenon/ir/epilogue.hpp>

/// Fuses the maps that follow a contraction into its epilogue: bias, activation and residual are
/// applied to a part of the result while it is in cache.
namespace tenon::internal {

/// Whether the rows of a contraction's result, as a plan walks them, are those of the result.
template <class T>
bool covers_rows(ProductPlan<T> const& plan, std::int64_t row) {
  return plan.matrix.n == row && (plan.matrix.m == 1 || plan.matrix.c_row == row);
}

/// A kernel that reads a contraction, and the memory of the contraction.
template <class T>
struct KernelOverParts {
  KernelAtWork work;
  Computed<T> const* product;
};

/// Runs the row chunks that read a part of a contraction; on a copy of the kernel where there are
/// several chunks. (The copy is made here, where its type is known.)
template <class T, class K>
void run_part(void const* context, MatrixProduct<T> const& part, std::int64_t columns) {
  auto const& over = *static_cast<KernelOverParts<T> const*>(context);
  if (part.m == over.work.layout->rows() && columns >= over.work.layout->row.size())
    return run_rows(over.work, 0, part.m, 0, over.work.layout->row.size());
  alignas(K) std::byte memory[sizeof(K)];
  run_pieces(over.work.copied(memory), part.c - over.product, part.m, columns);
}

/// Computes a contraction to `value`, row-major, and the materialized expression `e`, which reads
/// it, to `out`: after each part of the contraction the row chunks that read it, while it is in
/// cache.
template <class Backend, class P, class E>
void run_plan_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                            MemoryAccess const& out) {
  constexpr bool stepped = reads_any_steps<P>;
  using M = typename Backend::machine;
  auto kernel = tenon::internal::bind<M, false>(e, out, nullptr);
  using K = decltype(kernel);
  with_plan<Backend>(product, value, [&](auto& plan) {
    using T = typename Unqualified<decltype(*plan)>::value_type;
    bool const fits = plan && kernel.row.rank == 1 && covers_rows(*plan, kernel.row.size());
    if (fits) {
      KernelOverParts<T> const over{kernel_at_work(kernel, &run_row<M, typename E::value_type, K>),
                                    plan->matrix.c};
      return Backend::template multiply<stepped>(*plan, AfterPart<T>{&over, &run_part<T, K>});
    }
    if (plan) Backend::template multiply<stepped>(*plan, AfterPart<T>{});
    Backend::fill(e, out);
  });
}

}  // namespace tenon::internal
