// Shared state of the fake driver: initialisation, and the context of each thread.

#pragma once

#include <memory>
#include <mutex>

#include "fake_driver.hpp"

namespace shim {

inline std::mutex mutex;
inline bool is_initialised = false;
inline char context;  // a handle
inline thread_local void const* current_context = nullptr;

inline FakeDriver& driver() { return FakeDriver::instance(); }

/// Runs `f` if the driver has been initialised and this thread has its context.
template <class F>
int in_context(F const& f) {
  std::lock_guard const lock(mutex);
  if (!is_initialised) return not_initialised;
  if (current_context != &context) return invalid_context;
  return f();
}
template <class T>
T* handle(T* made) {
  driver().handles.insert(made);
  return made;
}
inline bool is_handle(void const* one) { return driver().handles.count(one) > 0; }

/// A stream records while it has a graph.
struct FakeStream {
  std::unique_ptr<FakeDriver::Graph> graph{};
  bool is_invalid = false;
};

/// The number of recordings of this thread.
inline thread_local int recordings = 0;
inline thread_local std::set<FakeStream*> strict_recordings{};

/// Runs `f`, which cannot be recorded: it is rejected if this thread records in a strict mode,
/// which invalidates the recording.
template <class F>
int unrecorded(F const& f) {
  return in_context([&]() -> int {
    for (FakeStream* const stream : strict_recordings) stream->is_invalid = true;
    return strict_recordings.empty() ? f() : cannot_record;
  });
}

/// Runs `f` if the stream exists; `may_record` states whether it is allowed in a recording, which
/// is otherwise invalidated.
template <class F>
int in_stream(void* stream, F const& f, bool may_record = true) {
  return in_context([&]() -> int {
    if (!is_handle(stream)) return invalid_handle;
    FakeDriver::Graph* const graph = static_cast<FakeStream*>(stream)->graph.get();
    if (graph != nullptr && !may_record) {
      static_cast<FakeStream*>(stream)->is_invalid = true;
      return cannot_record;
    }
    driver().graph = graph;
    int const code = f();
    driver().graph = nullptr;
    return code;
  });
}

}  // namespace shim
