#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/scope.hpp>

namespace tenon::internal::graph {

[[gnu::cold]] TENON_RUNTIME void LinkStep::operator()(Tape& tape, std::byte const*) const {
  OpenGraph const open(*graph, 0);
  graph->backward_around(results, tape);
}

[[gnu::cold]] TENON_RUNTIME Scope::Scope() {
  tracing::refuse_while_on("value_and_grad");
  if (is_open()) return;
  if (Graph::make == nullptr) {
    throw Error(
        "tenon::value_and_grad: a derivative of a derivative: expected #include "
        "<tenon/autodiff/higher_order.hpp> in a file of the program, got none");
  }
  graph_ = Graph::make();
  open_.emplace(*graph_, recording);
}

[[gnu::cold]] TENON_RUNTIME TapeMark Scope::mark_outside(TapeMark inside, LinkStep& link,
                                                         Tape* tape, Surroundings const& around) {
  if (tape == nullptr || inside.tape != link.graph->serial) return {};
  TapeMark const mark = tape->new_slot();
  link.results.push_back({{inside.slot}, mark, &around});
  return mark;
}

[[gnu::cold]] TENON_RUNTIME void Scope::record(Tape& tape, LinkStep link) {
  tape.record_joint(std::move(link));
}

}  // namespace tenon::internal::graph
