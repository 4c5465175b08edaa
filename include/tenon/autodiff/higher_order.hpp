#pragma once

#include <tenon/core/config.hpp>

#include <utility>

#include <tenon/autodiff/differentiate.hpp>
#include <tenon/eval/graph/values.hpp>

/// Higher-order derivatives: `jvp`, `hvp`, and gradients inside the function of a gradient. Files
/// that use them include this.
namespace tenon::internal {

namespace graph {

/// Enables graphs before main() begins.
[[gnu::used]] inline bool const makes_graphs = [] {
  Graph::make = [] { return std::static_pointer_cast<Graph>(std::make_shared<Values>()); };
  return true;
}();

}  // namespace graph

struct JvpName {
  static constexpr std::string_view name = "jvp";
};
struct HvpName {
  static constexpr std::string_view name = "hvp";
};

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
auto jvp(F const& f, Tree const& at, Tree const& tangent) {
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  auto value = as_value(f(leaves));
  auto const adjoint = varying_zeros(value);
  auto derivative = graph::gradients(graph::gradients(value, adjoint, leaves), tangent, adjoint);
  scope.leave(value, derivative);
  return std::pair(std::move(value), std::move(derivative));
}
template <class F, class Tree>
  requires(!Learns<Tree>)
auto jvp(F const& f, Tree const& at, Tree const& tangent) -> NotLearned<JvpName, Tree>;

/// The Hessian of a scalar function times a vector: the derivative of its gradient along `tangent`.
/// Both are trees of the argument's type. PyTorch: `torch.autograd.functional.hvp`, its second
/// result.
template <class F, Learns Tree>
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
template <class F, class Tree>
  requires(!Learns<Tree>)
auto hvp(F const& f, Tree const& at, Tree const& tangent) -> NotLearned<HvpName, Tree>;

}  // namespace tenon::internal

namespace tenon {

using internal::hvp;
using internal::jvp;

}  // namespace tenon
