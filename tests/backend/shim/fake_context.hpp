// What the functions of the fake driver share: is it initialised, has the thread its context?

#pragma once

#include <mutex>

#include "fake_driver.hpp"

namespace shim {

inline std::mutex mutex;
inline bool is_initialised = false;
inline char context, stream_object;  // handles
inline thread_local void const* current_context = nullptr;

inline FakeDriver& driver() { return FakeDriver::instance(); }

/// Runs `f` where the driver has been initialised and this thread has its context.
template <class F>
int in_context(F const& f) {
  std::lock_guard const lock(mutex);
  if (!is_initialised) return not_initialised;
  if (current_context != &context) return invalid_context;
  return f();
}
template <class F>
int in_stream(void const* stream, F const& f) {
  return in_context([&] { return stream == &stream_object ? f() : invalid_handle; });
}

template <class T>
T* handle(T* made) {
  driver().handles.insert(made);
  return made;
}
inline bool is_handle(void const* one) { return driver().handles.count(one) > 0; }

}  // namespace shim
