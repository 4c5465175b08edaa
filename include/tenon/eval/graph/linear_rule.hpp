#pragma once

#include <utility>

#include <tenon/eval/graph/graph.hpp>

namespace tenon::internal::graph {

/// A rule that is a linear function of the adjoint.
template <class F>
struct LinearRule : Rule {
  F f;
  explicit LinearRule(F of) : f(std::move(of)) {}
  [[gnu::cold]] void backward(Id self, std::span<Id const> x, Adjoints& adjoints) const override {
    f(*adjoints.of(self), self, x, adjoints);
  }
};
template <class F>
Owner<Rule const> rule(F f) {
  return Owner<Rule const>(new LinearRule<F>(std::move(f)));
}

}  // namespace tenon::internal::graph
