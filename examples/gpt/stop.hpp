#pragma once

// Ctrl-C, and the signal of `kill`, as a flag that training checks after every step.

#include <csignal>

namespace gpt {

inline volatile std::sig_atomic_t stop_signal = 0;

/// During its lifetime the first such signal is recorded; the second ends the program immediately.
class StopRequest {
 public:
  StopRequest() {
    set(SIGINT, [](int) { stop_signal = 1; });
    set(SIGTERM, [](int) { stop_signal = 1; });
  }
  ~StopRequest() {
    set(SIGINT, SIG_DFL);
    set(SIGTERM, SIG_DFL);
  }
  StopRequest(StopRequest const&) = delete;
  StopRequest& operator=(StopRequest const&) = delete;

  explicit operator bool() const { return stop_signal != 0; }

 private:
  static void set(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(signal, &action, nullptr);
  }
};

}  // namespace gpt
