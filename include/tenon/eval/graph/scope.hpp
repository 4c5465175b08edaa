#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/leaves.hpp>
#include <tenon/eval/tape/tape.hpp>

/// Trees in a graph, and their gradients.
namespace tenon::internal::graph {

/// A copy of a tree whose parameter leaves are leaves of the graph.
template <class Tree>
[[gnu::cold]] Tree tracked(Tree tree) {
  tree::for_each(
      []<class E>(E& leaf) {
        Id const own = Graph::current->as_leaf(id_of(leaf));
        leaf.set_mark({Graph::current->serial, own.number});
      },
      tree);
  return tree;
}

template <class Tree>
[[gnu::cold]] std::vector<Id> ids_of(Tree const& tree) {
  std::vector<Id> ids;
  tree::for_each(
      [&]<class E>(E const& leaf) {
        if constexpr (ComplexType<typename E::value_type>) refuse_complex();
        ids.push_back(id_of(leaf));
      },
      tree);
  return ids;
}

/// The adjoints of `leaves` from those of `values`, trees in the graph.
template <class Values, class Tree>
[[gnu::cold]] Tree gradients(Values const& values, Values const& adjoint, Tree leaves) {
  std::vector<Id> const results = ids_of(values), inputs = ids_of(leaves);
  auto const sums = Graph::current->gradients(results, ids_of(adjoint), inputs);
  std::size_t next = 0;
  tree::for_each(
      [&]<class E>(E& leaf) {
        std::optional<Id> const sum = sums[next++];
        leaf = sum ? tensor_of<E>(*sum, leaf.sizes()) : repeated<E>(0, leaf.sizes());
      },
      leaves);
  return leaves;
}

/// Makes a graph the current one of this thread until the end of its scope, also if an exception is
/// thrown. `around` is the serial number of the tape whose values can enter it; 0: none.
class OpenGraph {
 public:
  OpenGraph(Graph& graph, std::uint32_t around)
      : graph_(std::exchange(Graph::current, &graph)),
        recording_(std::exchange(recording, graph.serial)),
        around_(std::exchange(recording_around, around)) {}
  OpenGraph(OpenGraph const&) = delete;
  OpenGraph& operator=(OpenGraph const&) = delete;
  ~OpenGraph() {
    Graph::current = graph_;
    recording = recording_;
    recording_around = around_;
  }

 private:
  Graph* graph_;
  std::uint32_t recording_, around_;
};

/// The entry of a graph on the enclosing tape: the values that left the graph.
struct LinkStep {
  Shared<Graph> graph;
  std::vector<Result> results{};

  /// Custom backward functions compute with tensors: the graph is current while they run.
  void operator()(Tape& tape, std::byte const*) const;
};

/// Creates a graph, unless one is being recorded already. Throws `Error` where the program does not
/// include <tenon/autodiff/higher_order.hpp>.
class Scope {
 public:
  Scope();

  /// Ends the graph that was created, and returns it, for more derivatives of its values; null if
  /// another one was open.
  Shared<Graph> keep() {
    open_.reset();
    return std::move(graph_);
  }

  /// Ends the graph that was created. Trees that leave it belong to the enclosing tape, or become
  /// constants.
  template <class... Trees>
  [[gnu::cold]] void leave(Trees&... trees) {
    if (!graph_) return;
    LinkStep link{std::move(graph_)};
    open_.reset();
    Tape* const tape = link.graph->has_leaves_around() ? Tape::current() : nullptr;
    auto const mark = [&]<class E>(E& leaf) {
      leaf.set_mark(
          mark_outside(leaf.mark(), link, tape,
                       surroundings<typename E::device, Computed<typename E::value_type>>));
    };
    (tree::for_each(mark, trees), ...);
    if (tape != nullptr) record(*tape, std::move(link));
  }

 private:
  /// The mark on the enclosing tape of a value with the mark `inside`.
  static TapeMark mark_outside(TapeMark inside, LinkStep& link, Tape* tape,
                               Surroundings const& around);
  static void record(Tape& tape, LinkStep link);

  Shared<Graph> graph_;
  std::optional<OpenGraph> open_{};  ///< Ends before the graph does.
};

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME

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

#endif
