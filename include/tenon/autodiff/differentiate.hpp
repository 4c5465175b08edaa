#pragma once

#include <tuple>
#include <utility>

#include <tenon/eval/custom.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/graph/scope.hpp>
#include <tenon/eval/tape/leaves.hpp>

namespace tenon {

/// Has a tree anything of which there is a gradient?
template <class Tree>
concept Learns = tree::reaches<tree::Learned, Tree>();

/// What `differentiated` gives inside another recording.
template <bool with_value, class F, class Tree, class Adjoint>
auto differentiated_in_graph(F const& f, Tree const& at, Adjoint const& adjoint_of) {
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  auto value = as_value(f(leaves));
  Tree gradient = graph::gradients(value, adjoint_of(value), leaves);
  scope.leave(value, gradient);
  if constexpr (!with_value) return gradient;
  else return std::pair(std::move(value), std::move(gradient));
}

/// The value of `f(leaves)` and the gradient with respect to the leaves, once their adjoint comes
/// from `adjoint_of(value)`. Alone it is recorded on a tape; inside another recording, where its
/// gradient may be differentiated again, in a graph of the host.
/// Without the value, the gradient alone.
template <bool with_value = true, class F, class Tree, class Adjoint>
auto differentiated(F const& f, Tree const& at, Adjoint const& adjoint_of) {
  if (recording != 0) return differentiated_in_graph<with_value>(f, at, adjoint_of);
  Tape tape;
  Tree const leaves = tracked(at, tape);
  auto const value = as_value(f(leaves));
  seed_leaves(value, adjoint_of(value), tape);
  tape.backward();
  if constexpr (!with_value) return gradients_of(leaves, tape);
  else return std::pair(unmarked_leaves(value), gradients_of(leaves, tape));
}

}  // namespace tenon
