#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <tuple>

#include "filler.hpp"

/// A tree, evaluated in three ways.
namespace trees {

/// Every node stays open: one recipe.
struct Fused {
  template <Expression X>
  constexpr Unqualified<X> operator()(X&& x) const {
    return std::forward<X>(x);
  }
};

/// Every node is evaluated.
struct NodeByNode {
  template <Expression X>
  auto operator()(X&& x) const {
    return eval(std::forward<X>(x));
  }
};

template <class Tree, class How, class Leaves>
Outcome run(How const& how, Leaves const& leaves) {
  auto [value, pull] = vjp([&](Leaves const& l) { return Tree::of(how, l); }, leaves);
  Outcome outcome{numbers(value), {}};
  Leaves const gradients = pull(adjoint_like(value));
  std::apply([&](auto const&... x) { (outcome.gradients.push_back(numbers(x)), ...); },
             gradients.floating());
  return outcome;
}

template <template <class, class> class Leaves, class Tree>
void check_case(Verdict& verdict, Case const& of_case, double special) {
  using T = typename Tree::T;
  Filler fill{of_case, special}, again = fill;
  auto const leaves = Leaves<T, Cpu>::of(fill);
  Outcome const fused = run<Tree>(Fused{}, leaves), apart = run<Tree>(NodeByNode{}, leaves);
  Outcome const exact = run<Tree>(NodeByNode{}, Leaves<double, Reference>::of(again));
  double const unit = std::numeric_limits<T>::epsilon();
  verdict.compare("fused and node by node", of_case, special, unit, fused, apart);
  verdict.compare("fused and in double", of_case, special, unit, fused, exact);
  verdict.compare("node by node and in double", of_case, special, unit, apart, exact);
}

/// Ordinary numbers: values and gradients. With a NaN or an infinity in each leaf: values.
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
