#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <tuple>

#include "../bits/record.hpp"
#include "differences.hpp"
#include "filler.hpp"

/// Evaluates a tree in three ways.
namespace trees {

using namespace tenon::internal;

/// Every node remains an expression: the tree is one expression.
struct Fused {
  template <Expression X>
  constexpr Unqualified<X> operator()(X&& x) const {
    return std::forward<X>(x);
  }
};

/// Every node is evaluated separately.
struct NodeByNode {
  template <Expression X>
  auto operator()(X&& x) const {
    return eval(std::forward<X>(x));
  }
};

template <class Tree, class How, class Leaves>
Outcome run(How const& how, Leaves const& leaves) {
  auto [value, backward] = vjp([&](Leaves const& l) { return Tree::of(how, l); }, leaves);
  Outcome outcome{numbers(value), {}};
  Leaves const gradients = backward(adjoint_like(value));
  std::apply([&](auto const&... x) { (outcome.gradients.push_back(numbers(x)), ...); },
             gradients.floating());
  return outcome;
}

/// Compares the gradients with central differences of the values, in double, off the leaves' grid,
/// on which elements are equal.
/// elements are equal.
template <class Tree, class Leaves>
void check_derivative(Verdict& verdict, Case const& of_case, Leaves const& on_grid) {
  NodeByNode const how;
  Leaves const leaves = moved(on_grid, 0.01);
  double const derivative = along_direction(run<Tree>(how, leaves).gradients);
  double const difference =
      difference_of([&](double step) { return weighed(Tree::of(how, moved(leaves, step))); });
  verdict.compare_derivatives(of_case, derivative, difference);
}

inline void record(std::string const& how, Outcome const& outcome) {
  bits::record(how, outcome.value);
  for (Numbers const& gradient : outcome.gradients) bits::record(how, gradient);
}

template <template <class, class> class Leaves, class Tree>
void check_case(Verdict& verdict, Case const& of_case, double special) {
  using T = typename Tree::T;
  Filler fill{of_case, special}, again = fill;
  auto const leaves = Leaves<T, Cpu>::of(fill);
  Outcome const fused = run<Tree>(Fused{}, leaves), apart = run<Tree>(NodeByNode{}, leaves);
  auto const exact_leaves = Leaves<double, Reference>::of(again);
  Outcome const exact = run<Tree>(NodeByNode{}, exact_leaves);
  record("fused", fused);
  record("node by node", apart);
  record("in double, reference", exact);
  double const unit = std::numeric_limits<T>::epsilon();
  verdict.compare("fused and node by node", of_case, special, unit, fused, apart);
  verdict.compare("fused and in double", of_case, special, unit, fused, exact);
  verdict.compare("node by node and in double", of_case, special, unit, apart, exact);
  if (special == 0) check_derivative<Tree>(verdict, of_case, exact_leaves);
}

/// Ordinary numbers: values and gradients. With a NaN or an infinity in each leaf: values only.
template <template <class, class> class Leaves, class Tree>
void check() {
  Verdict verdict(Tree::source);
  for (Case const& of_case : Tree::cases()) {
    for (double special :
         {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()}) {
      check_case<Leaves, Tree>(verdict, of_case, special);
    }
  }
}

}  // namespace trees
