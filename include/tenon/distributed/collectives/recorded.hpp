#pragma once

#include <functional>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/op/stop.hpp>

/// Collectives and derivatives. A gradient is that of one loss, the same on all ranks. A value that
/// is replicated on all ranks of a group has one adjoint, also replicated; a value that differs
/// between ranks has one adjoint per rank. So the backward of a sum over ranks, whose result is
/// replicated, is the identity; that of all_gather is the local slice; that of a local slice of a
/// replicated value is all_gather. The backward of a recorded collective runs on every rank, even
/// if the loss there does not depend on it, since other ranks wait for it.
namespace tenon::internal::mpi {

/// The tape entry of a collective on tensors or trees. (For a value that the backward does not
/// read, the marks suffice.)
template <class Backward, class Y, class X>
struct CollectiveStep {
  Backward backward;
  Y value;
  X argument;

  void operator()(Tape& tape, std::byte const*) const {
    Y adjoint = gradients_of(value, tape);
    seed_leaves(argument,
                X(backward(std::move(adjoint), unmarked_leaves(value), unmarked_leaves(argument))),
                tape);
  }
};

/// The call of a collective whose backward communicates: all ranks have recorded their argument, or
/// none has.
template <class Call, TensorType X>
Call with_gradient_of(Call call, X const& x) {
  call.is_recorded = any_recorded(x);
  return call;
}

/// `forward(x)`, not recorded.
template <class Forward, TensorType X>
auto unrecorded_value(Forward const& forward, X x) {
  Unrecorded const unrecorded;
  return forward(unmarked(std::move(x)));
}

/// `forward(x)` as an entry of the tape.
template <class Forward, class Backward, TensorType X>
auto taped(Forward const& forward, Backward const& backward, X const& x) {
  auto value = unrecorded_value(forward, x);
  Tape& tape = *Tape::current();
  value.set_mark(tape.new_slot());
  tape.record_joint(CollectiveStep<Backward, decltype(value), X>{backward, value, x});
  return value;
}

/// `forward(x)`, with the backward `backward(dy, y, x)`, which is itself not recorded: a gradient
/// of a gradient throws. An unrecorded rvalue is moved on: `forward` may then write to unshared
/// memory.
template <class Forward, class Backward, class Value>
auto differentiable(Forward const& forward, Backward const& backward, Value&& x) {
  using X = Unqualified<Value>;
  if constexpr (InexactType<typename X::value_type>) {
    if (any_recorded(x) && !graph::is_open()) return taped(forward, backward, x);
    if (any_recorded(x)) throw Error("tenon::mpi: this collective has no gradient of a gradient");
  }
  return unrecorded_value(forward, std::forward<Value>(x));
}

/// A linear `forward(x)` in a recording that supports higher derivatives: the backward of its
/// backward is `forward` again, each recorded.
template <TensorType Y, TensorType X>
Y linear_in_graph(std::function<Y(X)> const& forward, std::function<X(Y)> const& backward,
                  X const& x) {
  Y value = unrecorded_value(forward, x);
  if (!any_recorded(x)) return value;
  auto const back = [forward, backward](Y const& dy, Y const&, X const&) {
    return linear_in_graph<X, Y>(backward, forward, dy);
  };
  return graph::custom(back, value, x);
}

/// The same for a function linear in `x`, with derivatives of all orders. (`forward` is stored: it
/// holds no references to the caller.)
template <class Forward, class Backward, class Value>
auto linear(Forward const& forward, Backward const& backward, Value&& x) {
  using X = Unqualified<Value>;
  using Y = Unqualified<decltype(forward(x))>;
  if constexpr (InexactType<typename X::value_type>) {
    if (any_recorded(x) && graph::is_open()) {
      Y const y = unrecorded_value(forward, x);
      X const at = unmarked(x);
      auto const back = [=](Y const& dy) { return X(backward(dy, y, at)); };
      return linear_in_graph<Y, X>(forward, back, x);
    }
  }
  return differentiable(forward, backward, std::forward<Value>(x));
}

/// Whether the memory of a tensor is unshared and may be overwritten.
template <TensorType X>
bool is_spare(X const& x) {
  if constexpr (X::holds_elements) return true;
  else return x.storage().buffer.is_spare();
}

/// Materializes an expression; a constant if no adjoint can reach it, since ranks would communicate
/// zeros. Returns a tensor passed as an rvalue unchanged.
template <Expression X>
auto value_of(X&& x) {
  if constexpr (TensorType<Unqualified<X>>) {
    return Unqualified<X>(std::forward<X>(x));
  } else {
    bool const is_constant = !depends_on_recording(x);
    auto value = eval(std::forward<X>(x));
    if (is_constant) value.set_mark({});
    return value;
  }
}

/// `f(x)` on the host; a tensor on a device is copied to the host and back.
template <class F, Expression X>
auto on_host(F const& f, X&& x) {
  using D = typename Unqualified<X>::device;
  if constexpr (D::is_host) return f(value_of(std::forward<X>(x)));
  else return eval(to<D>(f(eval(to<Cpu>(value_of(std::forward<X>(x)))))));
}

}  // namespace tenon::internal::mpi
