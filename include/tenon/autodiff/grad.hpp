#pragma once

#include <utility>

#include <tenon/autodiff/differentiate.hpp>
#include <tenon/core/call.hpp>
#include <tenon/tensor/owner.hpp>

namespace tenon::internal {

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

/// The tensor that a loss evaluates to, or the name of an error: it must be a floating scalar.
template <class Name, class R>
constexpr auto loss_type() {
  if constexpr (!Expression<R>)
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
  std::pair<Loss, Tree> operator()(Tree const& at, Args const&... args) const {
    return differentiated<true, Loss>(at, args...);
  }
  template <class Tree, class... Args, class Mistake = LossOf<Name, F const&, Tree, Args...>>
    requires(!TensorType<Mistake>)
  auto operator()(Tree const& at, Args const&... args) const -> Mistake;

  /// The gradient, with the value or alone.
  template <bool with_value, TensorType Loss, class Tree, class... Args>
  auto differentiated(Tree const& at, Args const&... args) const {
    auto const loss = [&](Tree const& leaves) -> Loss { return f(leaves, args...); };
    auto const one = [](Loss const&) { return Loss(typename Loss::value_type(1)); };
    return tenon::internal::differentiated<with_value>(loss, at, one);
  }
};

/// The gradient alone.
template <class F>
struct Gradient {
  ValueAndGrad<F, GradName> f;

  template <class Tree, class... Args, TensorType Loss = LossOf<GradName, F const&, Tree, Args...>>
  Tree operator()(Tree const& at, Args const&... args) const {
    return f.template differentiated<false, Loss>(at, args...);
  }
  template <class Tree, class... Args, class Mistake = LossOf<GradName, F const&, Tree, Args...>>
    requires(!TensorType<Mistake>)
  auto operator()(Tree const& at, Args const&... args) const -> Mistake;
};

/// The value of a scalar function and its gradient with respect to its first argument, any tree:
/// `auto [loss, grads] = value_and_grad(f)(model, args...)`. The gradient has the argument's type;
/// integers, numbers and `Frozen` fields pass through. Other arguments, and what f captures, are
/// constants. JAX: `value_and_grad`. PyTorch: `loss.backward()`.
template <class F>
ValueAndGrad<F, ValueAndGradName> value_and_grad(F f) {
  return {std::move(f)};
}

/// The gradient of a scalar function with respect to its first argument, any tree, as
/// `value_and_grad` gives it: `grad(f)(x)` has the type of `x`. JAX: `grad`. PyTorch:
/// `torch.func.grad`.
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
  Tree leaves;
  Shared<Tape> tape;  ///< Null inside another recording: there `f` is run again.
  bool is_spent = false;

  /// The adjoint of the argument for the adjoint of the value. Throws `Error` the second time. (If
  /// another recording depends on the adjoint, `f` is run again, so that the result can be
  /// differentiated.)
  Tree operator()(Value const& adjoint) {
    if (std::exchange(is_spent, true)) throw Error("tenon::vjp: the pullback was called before");
    if (!tape || any_recorded(adjoint))
      return differentiated(f, leaves, [&](Value const&) { return adjoint; }).second;
    auto const once = std::exchange(tape, {});
    seed_leaves(value, adjoint, *once);
    once->backward();
    return gradients_of(std::move(leaves), *once);
  }
};

/// The value of f, a tensor or a tree of them, and its pullback: `auto [y, backward] = vjp(f, x);
/// auto dx = backward(dy)`. Several pullbacks may be pending at a time. JAX: `vjp`. PyTorch:
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
