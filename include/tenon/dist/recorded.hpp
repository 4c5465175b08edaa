#pragma once

#include <utility>

#include <tenon/eval/custom.hpp>
#include <tenon/expr/move/moves.hpp>

/// Collectives and derivatives. A gradient is that of the one loss of all ranks. A value that is
/// the same on all ranks of a group is one value, and has one adjoint, the same on all of them; of
/// values that differ from rank to rank each has its own. So the backward of a sum over ranks,
/// whose result is one, is the identity; of a gathering it is to take one's part; and of taking
/// one's part of what all have it is to gather. A collective that was recorded is called backward
/// on every rank, also where the loss of the rank does not depend on it: others wait for it.
namespace tenon::mpi {

/// What the tape keeps of a collective.
template <class Backward, class Y, class X>
struct CollectiveStep {
  Backward backward;
  Y value;
  X argument;

  void operator()(Tape& tape, std::byte const*) const {
    auto adjoint = gradient_of(value, tape);
    seed_leaves(argument, X(backward(std::move(adjoint), unmarked(value), unmarked(argument))),
                tape);
  }
};

/// `forward(x)`, which nobody records.
template <class Forward, TensorType X>
auto unrecorded_value(Forward const& forward, X x) {
  Unrecorded const unrecorded;
  return forward(unmarked(std::move(x)));
}

/// `forward(x)`, with the backward `backward(dy, y, x)`. What is not recorded is handed over where
/// it is handed over here: `forward` may write to memory that nobody else has.
template <class Forward, class Backward, class Value>
auto differentiable(Forward const& forward, Backward const& backward, Value&& x) {
  using X = Unqualified<Value>;
  if constexpr (InexactType<typename X::value_type>) {
    if (any_recorded(x)) {
      auto value = unrecorded_value(forward, x);
      if (graph::is_open()) return graph::custom(backward, value, x);
      Tape& tape = *Tape::current();
      value.set_mark(tape.new_slot());
      tape.record_joint(CollectiveStep<Backward, decltype(value), X>{backward, value, x});
      return value;
    }
  }
  return unrecorded_value(forward, std::forward<Value>(x));
}

/// May what is in a tensor be written over: does nobody else have its memory?
template <TensorType X>
bool is_spare(X const& x) {
  if constexpr (X::holds_elements) return true;
  else return x.storage().buffer.is_spare();
}

/// The value of a recipe; of a tensor that is handed over, itself.
template <Expression X>
auto value_of(X&& x) {
  if constexpr (TensorType<Unqualified<X>>) return Unqualified<X>(std::forward<X>(x));
  else return eval(std::forward<X>(x));
}

/// `f(x)` of a value on the host; what is on a device goes there and comes back.
template <class F, Expression X>
auto on_host(F const& f, X&& x) {
  using D = typename Unqualified<X>::device;
  if constexpr (D::is_host) return f(value_of(std::forward<X>(x)));
  else return eval(to<D>(f(eval(to<Cpu>(std::forward<X>(x))))));
}

}  // namespace tenon::mpi
