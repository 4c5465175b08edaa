#pragma once

#include <atomic>
#include <csignal>

namespace tenon::internal::training {

/// The signal that asks a program to end: its number, 0 for none.
inline std::atomic<int> stop_signal = 0;
inline std::atomic<int> stop_requests = 0;  // objects that exist

static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not lock");

/// A use of the flag: the first resets it.
struct StopFlag {
  StopFlag() {
    if (stop_requests++ == 0) stop_signal = 0;
  }
  ~StopFlag() { --stop_requests; }
  StopFlag(StopFlag const&) = delete;
  StopFlag& operator=(StopFlag const&) = delete;
};

/// Records the first signal; the second has its usual effect. (Only functions that are safe in a
/// signal handler.)
inline void on_stop_signal(int signal) {
  int none = 0;
  if (stop_signal.compare_exchange_strong(none, signal)) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

#if defined(_WIN32)

/// The handler of a signal for a time; the former one is restored. A signal that the program
/// ignores remains ignored.
class SignalScope {
 public:
  SignalScope(int signal, void (*handler)(int))
      : signal_(signal), former_(std::signal(signal, handler)) {
    if (former_ == SIG_IGN) std::signal(signal_, SIG_IGN);
  }
  ~SignalScope() { std::signal(signal_, former_); }
  SignalScope(SignalScope const&) = delete;
  SignalScope& operator=(SignalScope const&) = delete;

 private:
  int signal_;
  void (*former_)(int);
};

#else

class SignalScope {
 public:
  SignalScope(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // interrupted file operations are restarted
    sigaction(signal_, nullptr, &former_);
    if (former_.sa_handler != SIG_IGN) sigaction(signal_, &action, nullptr);
  }
  ~SignalScope() { sigaction(signal_, &former_, nullptr); }
  SignalScope(SignalScope const&) = delete;
  SignalScope& operator=(SignalScope const&) = delete;

 private:
  int signal_;
  struct sigaction former_ {};
};

#endif

}  // namespace tenon::internal::training

namespace tenon::training {

/// Ctrl-C (SIGINT), and the signal of `kill` (SIGTERM), as a flag that training checks after every
/// step: `while (step < steps && !stop)`. During its lifetime the first such signal is recorded,
/// the second ends the program; then the former handlers are restored. A signal that the program
/// ignores remains ignored. Several objects share the flag, which the first of them resets.
class StopRequest {
 public:
  StopRequest() = default;
  StopRequest(StopRequest const&) = delete;
  StopRequest& operator=(StopRequest const&) = delete;

  explicit operator bool() const { return signal() != 0; }

  /// The number of the signal, 0 for none. (A shell reports 128 plus this number for a program
  /// that a signal ended.)
  int signal() const { return internal::training::stop_signal; }

 private:
  internal::training::StopFlag flag_{};  // reset before there are handlers
  internal::training::SignalScope interrupt_{SIGINT, internal::training::on_stop_signal};
  internal::training::SignalScope terminate_{SIGTERM, internal::training::on_stop_signal};
};

}  // namespace tenon::training
