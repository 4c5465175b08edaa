#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/backend/cuda/api.hpp>

/// Recorded device commands, as a CUDA graph that is launched at once.
namespace tenon::internal::cuda {

/// Page-locked host memory, for the lifetime of copies from it.
struct PinnedCopy {
  void* memory = nullptr;

  PinnedCopy(void const* from, std::size_t bytes) {
    check(Api::instance().allocate_host(&memory, bytes, 0), "asking for page-locked memory");
    std::memcpy(memory, from, bytes);
  }
  PinnedCopy(PinnedCopy&& other) noexcept : memory(std::exchange(other.memory, nullptr)) {}
  PinnedCopy& operator=(PinnedCopy&&) = delete;
  ~PinnedCopy() {
    if (memory != nullptr) Api::instance().free_host(memory);
  }
};

/// An executable graph, with the scalars and the host memory that it refers to.
class GraphProgram {
 public:
  GraphProgram(Graph graph, Context context, Stream stream, std::vector<PinnedCopy> copies)
      : context_(context), stream_(stream), copies_(std::move(copies)) {
    Code const code = api().instantiate(&program_, graph, 0);
    api().destroy_graph(graph);
    check(code, "making a graph of what was recorded");
  }
  GraphProgram(GraphProgram const&) = delete;
  GraphProgram& operator=(GraphProgram const&) = delete;
  /// Waits: its last launch may be running.
  ~GraphProgram() {
    api().use_context(context_);
    api().wait(stream_);
    api().destroy_graph_program(program_);
  }

  void start() const { check(api().start_graph(program_, stream_), "starting a graph"); }

 private:
  static Api const& api() { return Api::instance(); }

  GraphHandle program_ = nullptr;
  Context context_;
  Stream stream_;
  std::vector<PinnedCopy> copies_;
};

/// Captures the commands of one thread on a separate stream, so that the work of other threads
/// continues.
class Recorder {
 public:
  /// The one of this thread; null: no recording. (As a member, two object files of g++ 12 for
  /// Windows would not link: each defines its initialisation.)
  static std::unique_ptr<Recorder>& current() {
    static thread_local std::unique_ptr<Recorder> one;
    return one;
  }

  Recorder() {
    check(api().create_stream(&stream_, own_stream), "making a stream");
    check(api().begin_capture(stream_, relaxed), "recording");
  }
  Recorder(Recorder const&) = delete;
  Recorder& operator=(Recorder const&) = delete;
  ~Recorder() {
    Graph graph = nullptr;
    if (is_open_ && closed(graph) == 0) api().destroy_graph(graph);
    api().destroy_stream(stream_);
  }

  Stream stream() const { return stream_; }

  /// The host memory may change before the graph is launched: copies from a stored copy.
  void copy_from_host(Address to, void const* from, std::size_t bytes) {
    copies_.emplace_back(from, bytes);
    check(api().copy_from_host(to, copies_.back().memory, bytes, stream_), "copying to the device");
  }

  /// The captured graph, instantiated for launches on a stream.
  std::shared_ptr<GraphProgram const> finished(Context context, Stream stream) {
    Graph graph = nullptr;
    check(closed(graph), "recording");
    return std::make_shared<GraphProgram const>(graph, context, stream, std::move(copies_));
  }

 private:
  static Api const& api() { return Api::instance(); }

  /// Ends the capture; an error, and no graph, if a command cannot be captured.
  Code closed(Graph& graph) {
    is_open_ = false;
    return api().end_capture(stream_, &graph);
  }

  Stream stream_ = nullptr;
  bool is_open_ = true;
  std::vector<PinnedCopy> copies_;
};

}  // namespace tenon::internal::cuda
