// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <functional>
#include <utility>

#include <tenon/tenon.hpp>

/// Collectives and derivatives. A gradient is that of the one loss of all ranks. A value that is
/// the same on all ranks of a group is one value, and has one adjoint, the same on all of them; of
/// values that differ from rank to rank each has its own. So the backward of a sum over ranks,
/// whose result is one, is the identity; of a gathering it is to take one's part; and of taking
/// one's part of what all have it is to gather. A collective that was recorded is called backward
/// on every rank, also where the loss of the rank does not depend on it: others wait for it.
namespace tenon::mpi {

/// What the tape keeps of a collective on tensors or trees. (Of a value that the backward does not
/// read, the marks are enough.)
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

/// The call of a collective for whose gradient ranks wait for each other: all of them have recorded
/// what they give, or none has.
template <class Call, TensorType X>
Call with_gradient_of(Call call, X const& x) {
  call.is_recorded = any_recorded(x);
  return call;
}

/// `forward(x)`, which nobody records.
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

/// `forward(x)`, with the backward `backward(dy, y, x)`, which computes outside of all recordings:
/// a gradient of a gradient is refused. What is not recorded is handed over where it is handed over
/// here: `forward` may write to memory that nobody else has.
template <class Forward, class Backward, class Value>
auto differentiable(Forward const& forward, Backward const& backward, Value&& x) {
  using X = Unqualified<Value>;
  if constexpr (InexactType<typename X::value_type>) {
    if (any_recorded(x) && !graph::is_open()) return taped(forward, backward, x);
    if (any_recorded(x)) throw Error("tenon::mpi: this collective has no gradient of a gradient");
  }
  return unrecorded_value(forward, std::forward<Value>(x));
}

/// A linear `forward(x)` where a derivative may have derivatives: the adjoint of its adjoint is
/// `forward` again, so that both are recorded by turns.
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

/// The same for what is linear in `x`: with all derivatives. (`forward` is kept: it refers to
/// nothing of its caller's.)
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

/// May what is in a tensor be written over: does nobody else have its memory?
template <TensorType X>
bool is_spare(X const& x) {
  if constexpr (X::holds_elements) return true;
  else return x.storage().buffer.is_spare();
}

/// The value of a recipe, a constant where adjoints would come to nothing: ranks would send them,
/// zeros, to each other. Of a tensor that is handed over, itself.
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

/// `f(x)` of a value on the host; what is on a device goes there and comes back.
template <class F, Expression X>
auto on_host(F const& f, X&& x) {
  using D = typename Unqualified<X>::device;
  if constexpr (D::is_host) return f(value_of(std::forward<X>(x)));
  else return eval(to<D>(f(eval(to<Cpu>(value_of(std::forward<X>(x)))))));
}

}  // namespace tenon::mpi
