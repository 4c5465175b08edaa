#pragma once

#include <tuple>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/graph/scope.hpp>
#include <tenon/eval/tape/leaves.hpp>

namespace tenon::internal {

/// Whether a tree has anything with a gradient. (False for a type that is not a tree.)
template <class Tree>
concept Learns =
    tree::is_well_formed<tree::Learned, Tree>() && tree::reaches<tree::Learned, Tree>();

/// A traversal that stops at tensors of every dtype, and one that stops at parameters outside of
/// `Frozen`.
struct AnyTensor {
  template <class T>
  static constexpr bool visits = tree::is_leaf<T>::value;
  static constexpr bool opens_frozen = true;
};
struct LearnedOrFrozen : tree::Learned {
  static constexpr bool opens_frozen = true;
};

/// Names the reason why a tree has no parameters, or the field because of which it is not a tree.
template <class Name, class Tree>
consteval auto not_learned() {
  if constexpr (!tree::is_well_formed<tree::Learned, Tree>())
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

/// Names the reason why `F` does not take its arguments: it would change the first one, or they are
/// others.
template <class Name, class F, class Tree, class... Args>
constexpr auto call_mistake() {
  if constexpr (CallableWith<F, Tree&, Args const&...>)
    return std::type_identity<error::argument_needs_a_const_reference<spec_of_name<Name>, Tree>>{};
  else
    return std::type_identity<error::function_does_not_take<spec_of_name<Name>, Tree, Args...>>{};
}

/// Whether a function has a derivative by its argument.
template <class F, class Tree>
concept Differentiates = Learns<Tree> && CallableWith<F const&, Tree const&>;

/// The reason why it has none, or `void`.
template <class Name, class F, class Tree>
constexpr auto no_derivative() {
  if constexpr (Differentiates<F, Tree>) return std::type_identity<void>();
  else if constexpr (!Learns<Tree>) return not_learned<Name, Tree>();
  else return call_mistake<Name, F const&, Tree>();
}
template <class Name, class F, class Tree>
using NoDerivative = typename decltype(no_derivative<Name, F, Tree>())::type;

/// The result of `differentiated` inside another recording.
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

/// The value of `f(leaves)` and the gradient with respect to the leaves, from the adjoint
/// `adjoint_of(value)`. An outermost call records on a tape; one inside another recording, where
/// its gradient may be differentiated again, in a graph of the host. Without `with_value`, the
/// gradient alone.
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

}  // namespace tenon::internal
