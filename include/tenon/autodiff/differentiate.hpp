#pragma once

#include <tuple>
#include <utility>

#include <tenon/eval/custom.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/graph/scope.hpp>
#include <tenon/eval/tape/leaves.hpp>

namespace tenon {

namespace error {

/// The argument has no floating tensor that a gradient could be of, and why not.
template <Spec Operation, Spec Reason, class Argument>
struct nothing_is_learned;

}  // namespace error

/// Has a tree anything of which there is a gradient? (A type that is no tree has nothing.)
template <class Tree>
concept Learns = tree::is_sound<tree::Learned, Tree>() && tree::reaches<tree::Learned, Tree>();

namespace internal {

/// A walk that stops at tensors of every dtype, and one that stops at those that are learned
/// outside of `Frozen`.
struct AnyTensor {
  template <class T>
  static constexpr bool visits = tree::is_leaf<T>::value;
  static constexpr bool opens_frozen = true;
};
struct LearnedOrFrozen : tree::Learned {
  static constexpr bool opens_frozen = true;
};

/// Names the reason why nothing is learned in a tree, or the field because of which it is none.
template <class Name, class Tree>
consteval auto not_learned() {
  if constexpr (!tree::is_sound<tree::Learned, Tree>())
    return std::type_identity<tree::NoTree<Name, tree::Learned, Tree>>();
  else if constexpr (tree::reaches<LearnedOrFrozen, Tree>())
    return std::type_identity<
        error::nothing_is_learned<spec_of_name<Name>, "all floating tensors are Frozen<>", Tree>>();
  else if constexpr (tree::reaches<AnyTensor, Tree>())
    return std::type_identity<
        error::nothing_is_learned<spec_of_name<Name>, "no tensor is floating", Tree>>();
  else
    return std::type_identity<
        error::nothing_is_learned<spec_of_name<Name>, "there is no tensor", Tree>>();
}
template <class Name, class Tree>
using NotLearned = typename decltype(not_learned<Name, Tree>())::type;

}  // namespace internal

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
  Tree leaves = tracked(at, tape);
  auto value = as_value(f(std::as_const(leaves)));
  seed_leaves(value, adjoint_of(value), tape);
  tape.backward();
  if constexpr (!with_value) return gradients_of(std::move(leaves), tape);
  else {
    Tree gradients = gradients_of(std::move(leaves), tape);
    return std::pair(unmarked_leaves(std::move(value)), std::move(gradients));
  }
}

}  // namespace tenon
