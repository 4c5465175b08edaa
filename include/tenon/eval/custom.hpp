#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/graph/custom.hpp>
#include <tenon/eval/tape/leaves.hpp>

namespace tenon::internal {

/// Suspends recording on this thread during its lifetime.
class Unrecorded {
 public:
  Unrecorded()
      : before_(std::exchange(recording, 0)),
        around_(std::exchange(recording_around, 0)),
        paused_(std::exchange(recording_paused, true)) {}
  Unrecorded(Unrecorded const&) = delete;
  Unrecorded& operator=(Unrecorded const&) = delete;
  ~Unrecorded() {
    recording = before_;
    recording_around = around_;
    recording_paused = paused_;
  }

 private:
  std::uint32_t before_, around_;
  bool paused_;
};

/// Whether any parameter leaf of any of the trees depends on what this thread records.
template <class... Tree>
bool any_recorded(Tree const&... trees) {
  bool found = false;
  auto const look = [&](auto const& leaf) { found = depends_on_recording(leaf) || found; };
  (tree::for_each(look, trees), ...);
  return found;
}

/// Which leaves of `tree` have an adjoint.
template <class Tree>
UsedLeaves used_leaves(Tree const& tree, Tape& tape) {
  UsedLeaves used;
  tree::for_each([&](auto const& leaf) { used.push_back(tape.has_gradient(leaf.mark())); }, tree);
  return used;
}
template <class Tree>
bool has_adjoint(Tree const& tree, Tape& tape) {
  UsedLeaves const used = used_leaves(tree, tape);
  return std::find(used.begin(), used.end(), 1) != used.end();
}

/// How a recording stores the arguments and the result of a function until its backward: as they
/// are.
struct StoredAsIs {
  template <class X>
  static X const& argument(X const& x) {
    return x;
  }
  template <class X>
  static X const& restored(X const& x) {
    return x;
  }
  template <class Y>
  static Y const& result(Y const& y) {
    return y;
  }
};

/// The tape entry of a function with a custom backward.
template <class Storage, class Backward, class Y, class... A>
struct CustomStep {
  Backward backward;
  Y value;
  std::tuple<A...> arguments;

  void operator()(Tape& tape, std::byte const*) const {
    if (!has_adjoint(value, tape)) return;
    std::apply([&](A const&... x) { add_shares(tape, Storage::restored(x)...); }, arguments);
  }

 private:
  template <class... X>
  void add_shares(Tape& tape, X const&... x) const {
    UsedLeaves const used = used_leaves(value, tape);
    Y const adjoint = gradients_of(value, tape), plain = unmarked_leaves(value);
    auto const shares = graph::shares_of(backward, used, adjoint, plain, unmarked_leaves(x)...);
    if constexpr (sizeof...(X) == 1) (add(shares, x, tape), ...);
    else
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        (add(std::get<k>(shares), x, tape), ...);
      }(std::index_sequence_for<X...>());
  }
  template <class X, class Argument>
  static void add(X const& adjoint, Argument const& argument, Tape& tape) {
    seed_leaves(argument, adjoint_as(argument, adjoint), tape);
  }
};

/// A function whose backward is supplied, not derived.
template <class Forward, class Backward, class Storage = StoredAsIs>
struct CustomVjp {
  Forward forward;
  Backward backward;

  template <class... X>
  auto operator()(X&&... x) const {
    return of_values(as_value(std::forward<X>(x))...);
  }

 private:
  template <class... A>
  auto of_values(A const&... arguments) const {
    if (tracing::is_on()) return as_value(forward(arguments...));
    bool const recorded = any_recorded(arguments...);
    auto value = computed(arguments...);
    if (!recorded) return value;
    if (graph::is_open()) return graph::custom(backward, value, arguments...);
    Tape& tape = *Tape::current();
    value = tree::map([&](auto leaf) { return leaf.set_mark(tape.new_slot()), leaf; }, value);
    record(tape, Storage::result(value), Storage::argument(arguments)...);
    return value;
  }

  template <class Y, class... A>
  void record(Tape& tape, Y const& value, A const&... arguments) const {
    tape.record_joint(CustomStep<Storage, Backward, Y, A...>{backward, value, {arguments...}});
  }

  template <class... A>
  auto computed(A const&... arguments) const {
    Unrecorded const unrecorded;
    return as_value(forward(unmarked_leaves(arguments)...));
  }
};

/// A function with a custom backward: `forward(x...)` gives y, and `backward(dy, y, x...)` the
/// adjoint of x, or a `std::tuple` with one for each argument. Arguments and y are tensors or
/// trees; values that `forward` captures must be constants: throws `Error` where one is recorded. A
/// `backward` written in Tenon's functions is differentiable again. JAX: `custom_vjp`. PyTorch:
/// `autograd.Function`.
template <class Forward, class Backward>
CustomVjp<Forward, Backward> custom_vjp(Forward forward, Backward backward) {
  return {std::move(forward), std::move(backward)};
}

}  // namespace tenon::internal

namespace tenon {

using internal::custom_vjp;

}  // namespace tenon
