#pragma once

#include <tenon/eval/backend.hpp>
#include <tenon/eval/error_context.hpp>
#include <tenon/eval/evaluate_first.hpp>
#include <tenon/eval/inline/reduction.hpp>
#include <tenon/eval/rows/spare.hpp>
#include <tenon/eval/tracing/node.hpp>
#include <tenon/tensor/observer.hpp>

/// Values of materialized expressions, whether recorded or not.
namespace tenon::internal {

/// The number of kernels this thread has run, for tests of fusion. (Unrolled loops do not count.)
inline thread_local std::int64_t kernels_run = 0;

/// Whether an expression, or a contraction, is evaluated by loops of constant length.
template <class R, class E>
concept FillsInline =
    R::holds_elements && is_small<E> && BackendOf<typename E::device>::template fills_inline<E>();

/// The value of such an expression, in place.
template <TensorType R, class E>
TENON_INLINE inline R inline_value(E const& e) {
  R result = R::uninitialised();
  BackendOf<typename E::device>::fill_inline(
      e, const_cast<typename R::value_type*>(std::as_const(result).data()));
  return result;
}

/// The value of a materialized expression or a contraction: one kernel.
template <TensorType R, class E>
inline R unrecorded_kernel(E const& e, R const* spare = nullptr) {
  ++kernels_run;
  auto const compute = [&] {
    R result = memory_for<R>(e.sizes(), owns_what_it_reads<E> ? spare : nullptr);
    auto* const memory = const_cast<typename R::value_type*>(std::as_const(result).data());
    std::int64_t const started = Observer::start();
    if constexpr (is_contract<E>) BackendOf<typename E::device>::contract(e, memory);
    else BackendOf<typename E::device>::fill(e, access_to_result(result, memory));
    if (started != 0) [[unlikely]]
      tell_result<R>(node_of(e), result.sizes(), memory, started);
    return result;
  };
  if constexpr (E::device::is_host) return compute();
  else return with_error_context(e, compute);
}

}  // namespace tenon::internal

namespace tenon {

using internal::kernels_run;

}  // namespace tenon
