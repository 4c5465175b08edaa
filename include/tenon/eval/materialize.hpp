#pragma once

#include <string>

#include <tenon/core/error.hpp>
#include <tenon/eval/backend.hpp>
#include <tenon/eval/graph/columns.hpp>
#include <tenon/eval/inline/reduction.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/eval/tracing/node.hpp>
#include <tenon/ir/fusion.hpp>
#include <tenon/ir/node_name.hpp>
#include <tenon/ir/packing.hpp>
#include <tenon/ir/rounded.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tensor/tracing.hpp>

/// Materialization: an expression becomes one kernel, whose value is computed into memory and
/// recorded.
namespace tenon::internal {

/// The policy of materializing: evaluates what must be computed before its kernel runs.
struct EvaluateFirst {
  template <class E>
  constexpr auto operator()(E const& e) const {
    return evaluate_expression(e);
  }
  template <class R, class E>
  static constexpr auto reshaped_to(E const& value, Sizes const& sizes) {
    return reshaped<R>(value, sizes);
  }
};

/// An expression in one kernel: what cannot be part of it is evaluated first.
template <class E>
constexpr auto materialized(E const& e) {
  auto kernel = materialized(e, EvaluateFirst());
  if constexpr (packs_tensors<decltype(kernel)>) return pack_tensors(kernel, EvaluateFirst());
  else return kernel;
}

}  // namespace tenon::internal

/// The text of an expression, for messages: `relu(add(float32 "n=3 k=70", float32 "k=70"))`.
namespace tenon::internal {

/// Appends the text of an expression.
template <class E>
[[gnu::cold]] void append_expression(E const& e, std::string& text) {
  if constexpr (is_constant<E>) {
    text += "number";
  } else if constexpr (node_name<E>.empty()) {
    text += describe_tensor(e);
  } else {
    text.append(node_name<E>).append("(");
    bool is_first = true;
    each_operand(e, [&](auto const& operand) {
      if (!is_first) text += ", ";
      is_first = false;
      append_expression(operand, text);
    });
    text += ")";
  }
}

/// The text of an expression: the types of its result and of its operands.
template <class E>
[[gnu::cold]] std::string expression_text(E const& e) {
  std::string text = describe_tensor(e) + " = ";
  append_expression(e, text);
  constexpr std::size_t most = 400;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

/// Calls `f`; if it throws a device error, appends the text of the expression to the message.
template <class E, class F>
decltype(auto) with_error_context(E const& e, F const& f) {
  if constexpr (E::device::is_host) {
    return f();
  } else {
    try {
      return f();
    } catch (DeviceError const& error) {
      throw DeviceError(std::string(error.what()) + "; for " + expression_text(e));
    }
  }
}

}  // namespace tenon::internal

/// Values of expressions under a recording: a tape stores how they were computed, or a graph
/// computes them node by node.
namespace tenon::internal {

/// The backward of a kernel whose expression is on a tape.
template <class E>
struct KernelStep {
  static void backward(void* kept, Tape& tape, std::byte const* adjoint) {
    E const& expression = *static_cast<E const*>(kept);
    MemoryAccess at = access_out(nullptr, row_major(expression.sizes(), E::shape.rank),
                                 sizeof(Computed<typename E::value_type>));
    at.data = adjoint;
    using Backend = BackendOf<typename E::device>;
    if constexpr (E::device::is_host) Backend::backward(before_rounding(expression), at, tape);
    else
      with_error_context(expression,
                         [&] { Backend::backward(before_rounding(expression), at, tape); });
  }
};

/// The same for a contraction.
template <class E>
struct ProductStep {
  static void backward(void* kept, Tape& tape, std::byte const* adjoint) {
    E const& product = *static_cast<E const*>(kept);
    auto const* const from = reinterpret_cast<typename E::value_type const*>(adjoint);
    with_error_context(
        product, [&] { BackendOf<typename E::device>::backward_contract(product, from, tape); });
  }
};

/// The tape entry of an expression that owns more than host buffers.
template <class Step, class E>
struct ExpressionStep {
  E expression;

  void operator()(Tape& tape, std::byte const* adjoint) {
    Step::backward(&expression, tape, adjoint);
  }
};

/// Whether a value can have a gradient on its device.
template <class E>
inline constexpr bool is_recordable = AdjointType<typename E::value_type> && may_be_recorded<E> &&
                                      BackendOf<typename E::device>::differentiates;

/// Whether a value may depend on a recording though its device has no gradients.
template <class E>
inline constexpr bool lacks_gradient =
    AdjointType<typename E::value_type> && may_be_recorded<E> && !is_recordable<E>;

/// The mark of an expression's value: recorded, if the expression depends on something recorded.
template <class Step, class E>
TENON_INLINE inline TapeMark recorded(E const& e) {
  static_assert(alignof(E) <= 64, "steps on a tape lie on cache lines");
  if (tracing::is_on()) [[unlikely]]
    return tracing::Trace::current->evaluated(node_of(e));
  if constexpr (is_recordable<E> && is_kept_plain<E>) {
    if (depends_on_recording(&e, expression_layout<E>))
      return Tape::current()->record_expression(&e, expression_layout<E>, &Step::backward);
  } else if constexpr (is_recordable<E>) {
    if (depends_on_recording(e))
      return Tape::current()->template record_new<ExpressionStep<Step, E>>(e);
  } else if constexpr (lacks_gradient<E>) {
    if (depends_on_recording(e)) Tape::refuse();
  }
  return {};
}

/// The same for a value that no expression computed.
template <class Step, class E, TensorType R>
void record(E const& e, R& result) {
  if constexpr (is_recordable<E>) {
    if (depends_on_recording(e)) result.set_mark(Tape::current()->template record_new<Step>(e));
  } else if constexpr (lacks_gradient<E>) {
    if (depends_on_recording(e)) Tape::refuse();
  }
}

/// Whether `e` is computed node by node, because higher derivatives may be requested.
template <class E>
TENON_INLINE inline bool joins_graph(E const& e) {
  return recording != 0 && graph::is_joined_by(&e, expression_layout<E>);
}

/// The value of an expression in the graph that is being recorded.
template <TensorType R, class E>
TENON_INLINE inline R value_in_graph(E const& e) {
  return graph::value_of<R>(node_of(e));
}

}  // namespace tenon::internal

/// The memory of a value.
namespace tenon::internal {

/// Whether an expression shares ownership of all memory that it reads (one with a view does not),
/// and always completes once started (a gather may fail on an index out of range).
template <class E>
inline constexpr bool owns_what_it_reads =
    TensorType<E> || is_constant<E> ||
    (owns_what_it_reads<OperandsOf<E>> && (is_map<E> || is_index_map<E> || is_reduction<E>));
template <class... E>
inline constexpr bool owns_what_it_reads<Types<E...>> = (owns_what_it_reads<E> && ...);

/// Memory for a result of these sizes: that of `spare`, which is about to be overwritten, if it
/// fits and has no other owner: not the expression, no copy, no recording. (Memory used a moment
/// ago is in the caches; a new block often is not.)
template <TensorType R>
R spare_or_new(Sizes const& sizes, R const* spare) {
  if (spare != nullptr && spare->storage().buffer.is_spare() && spare->sizes() == sizes)
    return R::adopt(spare->storage().buffer, sizes);
  return R::uninitialised(sizes);
}

/// Memory for a value of these sizes.
template <TensorType R>
R memory_for(Sizes const& sizes, [[maybe_unused]] R const* spare) {
  if constexpr (R::holds_elements) return R::uninitialised(sizes);
  else return spare_or_new(sizes, spare);
}

}  // namespace tenon::internal

/// Values of materialized expressions.
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
  else if (kernel.backward != nullptr && depends_on_recording(expression, *kernel.layout))
    result.set_mark(
        Tape::current()->record_expression(expression, *kernel.layout, kernel.backward));
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
