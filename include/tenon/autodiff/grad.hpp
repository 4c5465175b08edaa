#pragma once

#include <optional>
#include <tuple>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/graph/scope.hpp>
#include <tenon/eval/tape/leaves.hpp>
#include <tenon/tensor/owner.hpp>

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

/// The result of `differentiate` inside another recording.
template <bool with_value, class F, class Tree, class Adjoint>
auto differentiate_in_graph(F const& f, Tree const& at, Adjoint const& adjoint_of) {
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
auto differentiate(F const& f, Tree const& at, Adjoint const& adjoint_of) {
  if (recording != 0) return differentiate_in_graph<with_value>(f, at, adjoint_of);
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

struct ValueAndGradName {
  static constexpr std::string_view name = "value_and_grad";
};
struct GradName {
  static constexpr std::string_view name = "grad";
};
struct VjpName {
  static constexpr std::string_view name = "vjp";
};

}  // namespace tenon::internal

namespace tenon::compile_error {

/// The differentiated function does not return a tensor.
template <Spec Operation>
struct is_not_a_tensor;

/// `vjp` takes one argument: the function captures the others.
template <Spec Form, class... Others>
struct other_arguments_are_captured;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// Whether a function returns the pair of a loss and an auxiliary result.
template <class R>
inline constexpr bool has_auxiliary = false;
template <class Loss, class Auxiliary>
inline constexpr bool has_auxiliary<std::pair<Loss, Auxiliary>> = true;

/// The tensor that a loss evaluates to, or the name of an error: it must be a floating scalar.
template <class Name, class R>
constexpr auto loss_type() {
  if constexpr (has_auxiliary<R>) return loss_type<Name, typename R::first_type>();
  else if constexpr (!Expression<R>)
    return std::type_identity<error::is_not_a_tensor<spec_of_name<Name>>>{};
  else if constexpr (!ScalarShape<Unqualified<R>>)
    return std::type_identity<
        error::is_not_a_scalar<spec_of_name<Name>, spec_of<Unqualified<R>>>>{};
  else if constexpr (!FloatType<typename Unqualified<R>::value_type>)
    return std::type_identity<error::dtype_is_not_supported<
        spec_of_name<Name>, spec_of_dtype<typename Unqualified<R>::value_type>>>{};
  else return std::type_identity<TensorOf<R>>{};
}

/// The same, or the reason why the function of an argument has no gradient there.
template <class Name, class F, class Tree, class... Args>
constexpr auto loss_type_at() {
  if constexpr (!CallableWith<F, Tree const&, Args const&...>)
    return call_mistake<Name, F, Tree, Args...>();
  else if constexpr (!Learns<Tree>) return std::type_identity<NotLearned<Name, Tree>>{};
  else return loss_type<Name, CallResult<F, Tree const&, Args const&...>>();
}

template <class Name, class F, class Tree, class... Args>
using LossOf = typename decltype(loss_type_at<Name, F, Tree, Args...>())::type;

/// A scalar function with its gradient; `Name` is its name in errors.
template <class F, class Name>
struct ValueAndGrad {
  F f;

  template <class Tree, class... Args, TensorType Loss = LossOf<Name, F const&, Tree, Args...>>
  auto operator()(Tree const& at, Args const&... args) const {
    return run<true, Loss>(at, args...);
  }
  template <class Tree, class... Args, class Mistake = LossOf<Name, F const&, Tree, Args...>>
    requires(!TensorType<Mistake>)
  auto operator()(Tree const& at, Args const&... args) const -> Mistake;

  /// The gradient, after the value or alone; after both the auxiliary result of f, if there is one.
  template <bool with_value, TensorType Loss, class Tree, class... Args>
  auto run(Tree const& at, Args const&... args) const {
    using Result = CallResult<F const&, Tree const&, Args const&...>;
    auto const one = [](Loss const&) { return Loss(typename Loss::value_type(1)); };
    if constexpr (!has_auxiliary<Result>) {
      auto const loss = [&](Tree const& leaves) -> Loss { return f(leaves, args...); };
      return differentiate<with_value>(loss, at, one);
    } else {
      using Auxiliary = decltype(as_value(std::declval<Result>().second));
      std::optional<Auxiliary> auxiliary;
      auto const loss = [&](Tree const& leaves) -> Loss {
        Result result = f(leaves, args...);
        auxiliary = unmarked_leaves(as_value(std::move(result.second)));
        return std::move(result.first);
      };
      auto found = differentiate<with_value>(loss, at, one);
      if constexpr (!with_value) return std::pair(std::move(found), *std::move(auxiliary));
      else return std::tuple_cat(std::move(found), std::tuple<Auxiliary>(*std::move(auxiliary)));
    }
  }
};

/// The gradient alone.
template <class F>
struct Gradient {
  ValueAndGrad<F, GradName> f;

  template <class Tree, class... Args, TensorType Loss = LossOf<GradName, F const&, Tree, Args...>>
  auto operator()(Tree const& at, Args const&... args) const {
    return f.template run<false, Loss>(at, args...);
  }
  template <class Tree, class... Args, class Mistake = LossOf<GradName, F const&, Tree, Args...>>
    requires(!TensorType<Mistake>)
  auto operator()(Tree const& at, Args const&... args) const -> Mistake;
};

/// The value of a scalar function and its gradient with respect to its first argument, any tree:
/// `auto [loss, grads] = value_and_grad(f)(model, args...)`. The gradient has the argument's type;
/// integers, numbers and `Frozen` fields pass through. Other arguments, and what f captures, are
/// constants. Of an f that returns the pair of the scalar and an auxiliary result, a tensor or a
/// tree: `auto [loss, grads, auxiliary]`; no gradient reaches that. JAX: `value_and_grad`, with
/// `has_aux`. PyTorch: `loss.backward()`.
template <class F>
ValueAndGrad<F, ValueAndGradName> value_and_grad(F f) {
  return {std::move(f)};
}

/// The gradient of a scalar function with respect to its first argument, any tree, as
/// `value_and_grad` gives it: `grad(f)(x)` has the type of `x`; with an auxiliary result it is the
/// pair of both. JAX: `grad`. PyTorch: `torch.func.grad`.
template <class F>
Gradient<F> grad(F f) {
  return {{std::move(f)}};
}

/// The result of `vjp`: the value, and the function that maps an adjoint of that value to that of
/// the argument. It can be called once.
template <class F, class Value, class Tree>
struct Pullback {
  F f;
  Value value;
  mutable Tree leaves;
  mutable Shared<Tape> tape;  ///< Null inside another recording: there `f` is run again.
  mutable bool is_spent = false;

  /// The adjoint of the argument for the adjoint of the value. Throws `Error` the second time. (If
  /// another recording depends on the adjoint, `f` is run again, so that the result can be
  /// differentiated.)
  Tree operator()(Value const& adjoint) const {
    if (std::exchange(is_spent, true)) throw Error("tenon::vjp: the pullback was called before");
    if (!tape || any_recorded(adjoint))
      return differentiate(f, leaves, [&](Value const&) { return adjoint; }).second;
    auto const once = std::exchange(tape, {});
    seed_leaves(value, adjoint, *once);
    once->backward();
    return gradients_of(std::move(leaves), *once);
  }
};

/// The value of f, a tensor or a tree of them, and its pullback: `auto const [y, backward] = vjp(f,
/// x); auto dx = backward(dy)`. Several pullbacks may be pending at a time. JAX: `vjp`. PyTorch:
/// `torch.func.vjp`.
template <class F, Learns Tree>
  requires CallableWith<F const&, Tree const&>
auto vjp(F const& f, Tree const& at) {
  using Value = decltype(as_value(f(at)));
  if (recording != 0) {
    Value const value = as_value(f(at));
    return std::pair(value, Pullback<F, Value, Tree>{f, value, at, {}});
  }
  Shared<Tape> tape(new Tape);
  Tree const leaves = tracked(at, *tape);
  Value const value = as_value(f(leaves));
  tape->stop();
  return std::pair(unmarked_leaves(value), Pullback<F, Value, Tree>{f, value, leaves, tape});
}
template <class F, class Tree, class M = NoDerivative<VjpName, F, Tree>>
  requires(!Differentiates<F, Tree>)
auto vjp(F const& f, Tree const& at) -> M;
template <class F, class Tree, class... Others>
  requires(sizeof...(Others) > 0)
auto vjp(F const&, Tree const&, Others const&...)
    -> error::other_arguments_are_captured<"vjp([&](auto const& x) {...}, x)", Others...>;

}  // namespace tenon::internal

namespace tenon {

using internal::grad;
using internal::value_and_grad;
using internal::vjp;

}  // namespace tenon
