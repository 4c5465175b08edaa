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
    auto const adjoint = gradient_of(value, tape);
    seed_leaves(argument, X(backward(adjoint, unmarked(value), unmarked(argument))), tape);
  }
};

/// `forward(x)`, with the backward `backward(dy, y, x)`.
template <class Forward, class Backward, TensorType X>
auto differentiable(Forward const& forward, Backward const& backward, X const& x) {
  auto value = [&] {
    Unrecorded const unrecorded;
    return forward(unmarked(x));
  }();
  using Y = decltype(value);
  if constexpr (InexactType<typename X::value_type>) {
    if (!any_recorded(x)) return value;
    if (graph::is_open()) return graph::custom(backward, value, x);
    Tape& tape = *Tape::current();
    value.set_mark(tape.new_slot());
    tape.record_joint(CollectiveStep<Backward, Y, X>{backward, value, x});
  }
  return value;
}

/// `f(x)` of a value on the host; what is on a device goes there and comes back.
template <class F, Expression X>
auto on_host(F const& f, X&& x) {
  using D = typename Unqualified<X>::device;
  if constexpr (D::is_host) return f(eval(std::forward<X>(x)));
  else return eval(to<D>(f(eval(to<Cpu>(std::forward<X>(x))))));
}

}  // namespace tenon::mpi
