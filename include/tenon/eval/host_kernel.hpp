#pragma once

#include <tenon/eval/backend.hpp>
#include <tenon/eval/error_context.hpp>
#include <tenon/eval/evaluate_first.hpp>
#include <tenon/eval/inline/reduction.hpp>
#include <tenon/eval/record.hpp>
#include <tenon/eval/rows/spare.hpp>
#include <tenon/eval/tracing/node.hpp>
#include <tenon/tensor/tracing.hpp>

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

/// The evaluation of a materialized expression: its kernel runs and is recorded on the tape, or it
/// becomes a node of the graph of derivatives. On the host this is one function for each type of
/// result.
namespace tenon::internal {

/// The type-erased properties of a kernel that running it needs.
struct HostKernel {
  void (*fill)(void const* expression, MemoryAccess const& out);
  ir::NodeType const* type;
  Tape::Backward backward = nullptr;  ///< Null: its value never has a gradient.
  ExpressionLayout const* layout = nullptr;
  bool joins_graph = false;
};

template <class E>
void fill_kept(void const* expression, MemoryAccess const& out) {
  BackendOf<typename E::device>::fill(*static_cast<E const*>(expression), out);
}

template <class E>
concept HostKernelExpression = E::device::is_host && is_kept_plain<E> && !lacks_gradient<E>;

template <class E, bool is_whole>
inline constexpr HostKernel host_kernel{&fill_kept<E>, &node_type<E>};
template <class E, bool is_whole>
  requires is_recordable<E>
inline constexpr HostKernel host_kernel<E, is_whole>{
    &fill_kept<E>, &node_type<E>, &KernelStep<E>::backward, &expression_layout<E>, is_whole};

/// The value of an expression on the host, in the memory of `spare` where that is free.
template <TensorType R>
R run_host_kernel(void const* expression, HostKernel const& kernel, Sizes const& sizes,
                  R const* spare) {
  if (graph::is_open() && kernel.joins_graph && depends_on_recording(expression, *kernel.layout))
    return graph::value_of<R>({*kernel.type, expression});
  ++kernels_run;
  R result = memory_for<R>(sizes, spare);
  auto* const memory = stored_elements(result);
  std::int64_t const started = Observer::start();
  kernel.fill(expression, access_to_result(result, const_cast<typename R::value_type*>(memory)));
  if (started != 0) [[unlikely]]
    tell_result<R>({*kernel.type, expression}, sizes, memory, started);
  if (tracing::is_on()) [[unlikely]]
    result.set_mark(tracing::evaluated(expression, *kernel.type));
  else if (kernel.backward != nullptr)
    result.set_mark(Tape::recorded(expression, *kernel.layout, kernel.backward));
  return result;
}

/// The same for an expression on a device, or one that a tape stores with its type.
template <bool is_whole, TensorType R, class E>
R run_other_kernel(E const& e, R const* spare) {
  if constexpr (is_whole && is_recordable<E>)
    if (joins_graph(e)) [[unlikely]]
      return value_in_graph<R>(e);
  R result = unrecorded_kernel<R>(e, spare);
  result.set_mark(recorded<KernelStep<E>>(e));
  return result;
}

}  // namespace tenon::internal
