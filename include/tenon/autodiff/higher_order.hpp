#pragma once

#include <tenon/core/config.hpp>

#include <concepts>
#include <utility>

#include <tenon/autodiff/grad.hpp>
#include <tenon/eval/graph/values.hpp>

namespace tenon::compile_error {

/// The tangent of an argument has the argument's type: `eval(dx)` for an expression.
template <Spec Operation, class Argument, class Tangent>
struct tangent_has_another_type;

}  // namespace tenon::compile_error

/// Higher-order derivatives: `jvp`, `hvp`, and gradients inside the function of a gradient. Files
/// that use them include this.
namespace tenon::internal {

namespace graph {

/// Enables graphs before main() begins.
[[gnu::used]] inline bool const makes_graphs = [] {
  Graph::make = [] { return Shared<Graph>(new Values); };
  return true;
}();

}  // namespace graph

struct JvpName {
  static constexpr std::string_view name = "jvp";
};
struct HvpName {
  static constexpr std::string_view name = "hvp";
};

/// The reason why there is no derivative along a tangent.
template <class Name, class F, class Tree, class Tangent>
constexpr auto no_tangent() {
  if constexpr (!Differentiates<F, Tree>) return no_derivative<Name, F, Tree>();
  else
    return std::type_identity<error::tangent_has_another_type<spec_of_name<Name>, Tree, Tangent>>{};
}
template <class Name, class F, class Tree, class Tangent>
using NoTangent = typename decltype(no_tangent<Name, F, Tree, Tangent>())::type;

/// Zeros that depend on a leaf of the graph: the variable in which a derivative is linear.
template <class Tree>
Tree varying_zeros(Tree const& like) {
  return graph::tracked(tree::map(
      [](auto const& leaf) {
        return graph::repeated<std::remove_cvref_t<decltype(leaf)>>(0, leaf.sizes());
      },
      like));
}

/// The value of f and its derivative along a tangent of its argument, any tree: `auto [y, dy] =
/// jvp(f, x, dx)`. The gradient is linear in the adjoint it starts from; its own gradient with
/// respect to that adjoint is the derivative (so every function with a gradient has a jvp). JAX:
/// `jvp`. PyTorch: `torch.func.jvp`.
template <class F, Learns Tree>
  requires CallableWith<F const&, Tree const&>
auto jvp(F const& f, Tree const& at, Tree const& tangent) {
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  auto value = as_value(f(leaves));
  auto const adjoint = varying_zeros(value);
  auto derivative = graph::gradients(graph::gradients(value, adjoint, leaves), tangent, adjoint);
  scope.leave(value, derivative);
  return std::pair(std::move(value), std::move(derivative));
}
template <class F, class Tree, class Tangent, class M = NoTangent<JvpName, F, Tree, Tangent>>
  requires(!std::same_as<Tree, Tangent> || !Differentiates<F, Tree>)
auto jvp(F const& f, Tree const& at, Tangent const& tangent) -> M;

/// The Hessian of a scalar function times a vector: the derivative of its gradient along `tangent`.
/// Both are trees of the argument's type. PyTorch: `torch.autograd.functional.hvp`, its second
/// result.
template <class F, Learns Tree>
  requires CallableWith<F const&, Tree const&>
Tree hvp(F const& f, Tree const& at, Tree const& tangent) {
  using Loss = TensorOf<decltype(f(at))>;
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  Loss const value = eval(f(leaves));
  Tree const derivative = graph::gradients(value, Loss(typename Loss::value_type(1)), leaves);
  Tree product = graph::gradients(derivative, tangent, leaves);
  scope.leave(product);
  return product;
}
template <class F, class Tree, class Tangent, class M = NoTangent<HvpName, F, Tree, Tangent>>
  requires(!std::same_as<Tree, Tangent> || !Differentiates<F, Tree>)
auto hvp(F const& f, Tree const& at, Tangent const& tangent) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::hvp;
using internal::jvp;

}  // namespace tenon
