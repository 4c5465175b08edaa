#pragma once

#include <optional>

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
template <class Nothing>
struct LinkStepOf {
  struct Result {
    Id id;
    TapeMark mark{};
    Surroundings const* surroundings = nullptr;
  };
  std::shared_ptr<Values> graph;
  std::vector<Result> results{};

  /// Backwards that users wrote compute with tensors: the graph has to be open for them.
  [[gnu::cold]] void operator()(Tape& tape, std::byte const*) const {
    OpenGraph const open(*graph, 0);
    std::vector<Id> from, to;
    for (Result const& result : results) from.push_back(result.id);
    for (Around const& leaf : graph->leaves_around) to.push_back(leaf.id);
    Reverse adjoints(from, to);
    for (Result const& result : results) {
      if (tape.has_gradient(result.mark)) adjoints.add(result.id, adjoint_of(result, tape));
    }
    adjoints.pull();
    for (Around const& leaf : graph->leaves_around) {
      if (Id const* const sum = adjoints.of(leaf.id))
        leaf.surroundings->add(graph->elements_of(*sum), tape, leaf.mark);
    }
  }

 private:
  /// What the tape has for a result.
  static Id adjoint_of(Result const& result, Tape& tape) {
    Value const& value = values()[result.id];
    auto const bytes = static_cast<std::size_t>(value.extent.count()) * value.element.bytes;
    SharedBuffer const adjoint = tape.take_gradient(result.mark, bytes);
    return values().constant({value.element, value.extent, result.surroundings->brought(adjoint)});
  }
};

/// Makes a graph, unless one is being made already.
template <class Nothing>
class ScopeOf {
  using LinkStep = LinkStepOf<Nothing>;

 public:
  ScopeOf() {
    if (is_open()) return;
    graph_ = std::make_shared<Values>();
    open_.emplace(*graph_, recording);
  }

  /// Ends the graph that was made. Trees that leave it belong to the tape around, or are constants.
  template <class... Trees>
  [[gnu::cold]] void leave(Trees&... trees) {
    if (graph_ == nullptr) return;
    LinkStep link{std::move(graph_)};
    open_.reset();
    Tape* const tape = link.graph->leaves_around.empty() ? nullptr : Tape::current();
    auto const mark = [&]<class E>(E& leaf) {
      leaf.set_mark(mark_outside(leaf.mark(), link, tape, surroundings<E>));
    };
    (tree::for_each(mark, trees), ...);
    if (tape != nullptr) tape->record_joint(std::move(link));
  }

 private:
  /// The mark outside of what had this one inside.
  static TapeMark mark_outside(TapeMark inside, LinkStep& link, Tape* tape,
                               Surroundings const& around) {
    if (tape == nullptr || inside.tape != link.graph->serial) return {};
    TapeMark const mark = tape->new_slot();
    link.results.push_back({{inside.slot}, mark, &around});
    return mark;
  }

  std::shared_ptr<Values> graph_;
  std::optional<OpenGraph> open_{};  ///< Ends before the graph does.
};

using Scope = ScopeOf<void>;

}  // namespace tenon::graph
