#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/eval/graph/leaves.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::graph {

/// Makes a graph the one that this thread records into, until the end of its scope, which may be an
/// exception. `around` is the serial number of the tape whose values can enter it; 0: none.
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

/// What the tape around keeps of a graph: the values that came out of it.
struct LinkStep {
  std::shared_ptr<Graph> graph;
  std::vector<Result> results{};

  /// Backwards that users wrote compute with tensors: the graph has to be open for them.
  void operator()(Tape& tape, std::byte const*) const;
};

/// Makes a graph, unless one is being made already. Throws `Error` where the program has none of
/// their code: without <tenon/autodiff/higher_order.hpp>.
class Scope {
 public:
  Scope();

  /// Ends the graph that was made. Trees that leave it belong to the tape around, or are constants.
  template <class... Trees>
  [[gnu::cold]] void leave(Trees&... trees) {
    if (graph_ == nullptr) return;
    LinkStep link{std::move(graph_)};
    open_.reset();
    Tape* const tape = link.graph->has_leaves_around() ? Tape::current() : nullptr;
    auto const mark = [&]<class E>(E& leaf) {
      leaf.set_mark(mark_outside(leaf.mark(), link, tape, surroundings<E>));
    };
    (tree::for_each(mark, trees), ...);
    if (tape != nullptr) record(*tape, std::move(link));
  }

 private:
  /// The mark outside of what had this one inside.
  static TapeMark mark_outside(TapeMark inside, LinkStep& link, Tape* tape,
                               Surroundings const& around);
  static void record(Tape& tape, LinkStep link);

  std::shared_ptr<Graph> graph_;
  std::optional<OpenGraph> open_{};  ///< Ends before the graph does.
};

}  // namespace tenon::graph

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/graph/scope.ipp>
#endif
