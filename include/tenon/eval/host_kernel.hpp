#pragma once

#include <tenon/eval/record.hpp>
#include <tenon/eval/unrecorded.hpp>
#include <tenon/tensor/observer.hpp>

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
