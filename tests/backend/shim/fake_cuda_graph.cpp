// The graphs of the fake driver: recorded operations of a stream, which can be launched again.

#include "fake_context.hpp"

using shim::driver;
using shim::FakeStream;
using shim::in_context;
using shim::in_stream;
using Graph = shim::FakeDriver::Graph;

extern "C" {

int cuStreamBeginCapture_v2(void* stream, int mode) {
  auto const begin = [=] {
    if (mode < 0 || mode > 2) return shim::invalid_value;
    auto& own = *static_cast<FakeStream*>(stream);
    own = {std::make_unique<Graph>()};
    ++shim::recordings;
    if (mode != 2) shim::strict_recordings.insert(&own);  // 2: relaxed
    return shim::success;
  };
  return in_stream(stream, begin, false);
}
int cuStreamEndCapture(void* stream, void** made) {
  return in_stream(stream, [=] {
    auto& own = *static_cast<FakeStream*>(stream);
    auto const graph = std::move(own.graph);
    *made = nullptr;
    if (graph == nullptr) return shim::not_recording;
    --shim::recordings;
    shim::strict_recordings.erase(&own);
    if (own.is_invalid) return shim::recording_lost;
    *made = shim::handle(new Graph(*graph));
    return shim::success;
  });
}
int cuGraphInstantiateWithFlags(void** made, void* graph, unsigned long long) {
  return in_context([=] {
    if (!shim::is_handle(graph)) return shim::invalid_handle;
    *made = shim::handle(new Graph(*static_cast<Graph*>(graph)));
    return shim::success;
  });
}
int cuGraphLaunch(void* graph, void* stream) {
  auto const launch = [=] {
    if (!shim::is_handle(graph)) return shim::invalid_handle;
    for (auto const& what : *static_cast<Graph const*>(graph)) driver().ask(what);
    return driver().error;
  };
  return in_stream(stream, launch, false);
}
int cuGraphDestroy(void* graph) {
  return in_context([=] {
    if (driver().handles.erase(graph) == 0) return shim::invalid_handle;
    delete static_cast<Graph*>(graph);
    return shim::success;
  });
}
int cuGraphExecDestroy(void* graph) { return cuGraphDestroy(graph); }

/// Not in CUDA: the number of streams that this thread records.
int* fake_recordings() { return &shim::recordings; }
}
