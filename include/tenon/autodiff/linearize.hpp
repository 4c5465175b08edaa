#pragma once

#include <cstddef>
#include <utility>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/eval/graph/values.hpp>

/// The derivative of a function at a point as a function of tangents.
namespace tenon::internal {

struct LinearizeName {
  static constexpr std::string_view name = "linearize";
};

/// The derivative of `f` at a point: a linear function of the tangent. It keeps the graph of the
/// value, in which each call makes one backward; inside another recording, which may depend on
/// the point, it has none.
template <class F, class Value, class Tree>
struct Linearized {
  F f;
  Tree at;
  Shared<graph::Graph> graph{};
  Value adjoint{};  ///< The variable in which `pullback` is linear.
  Tree pullback{};

  Value operator()(Tree const& tangent) const {
    if (!graph || any_recorded(tangent)) return jvp(f, at, tangent).second;
    graph::OpenGraph const open(*graph, 0);
    std::size_t const before = graph::values().count();
    Value const derivative = unmarked_leaves(graph::gradients(pullback, tangent, adjoint));
    graph::values().shrink(before);
    return derivative;
  }
};

/// The value of f and its derivative there as a function of tangents: `auto const [y, push] =
/// linearize(f, x); auto const dy = push(dx)`. The function f runs once; each call of `push` costs
/// one backward. Arguments and values are those of `jvp`. JAX: `linearize`. PyTorch:
/// `torch.func.linearize`.
template <class F, Learns Tree>
  requires CallableWith<F const&, Tree const&>
auto linearize(F const& f, Tree const& at) {
  using Value = decltype(as_value(f(at)));
  using Result = Linearized<F, Value, Tree>;
  if (recording != 0) return std::pair<Value, Result>(as_value(f(at)), Result{f, at});
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  Value const value = as_value(f(leaves));
  Value const adjoint = varying_zeros(value);
  Tree const pullback = graph::gradients(value, adjoint, leaves);
  return std::pair<Value, Result>(unmarked_leaves(value),
                                  Result{f, at, scope.keep(), adjoint, pullback});
}
template <class F, class Tree, class M = NoDerivative<LinearizeName, F, Tree>>
  requires(!Differentiates<F, Tree>)
auto linearize(F const& f, Tree const& at) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::linearize;

}  // namespace tenon
