#pragma once

#include <tenon/eval/backend.hpp>
#include <tenon/eval/error_context.hpp>
#include <tenon/eval/graph/columns.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/ir/rounded.hpp>

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
    return Tape::recorded(&e, expression_layout<E>, &Step::backward);
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
