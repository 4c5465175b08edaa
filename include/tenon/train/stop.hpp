#pragma once

#include <array>
#include <csignal>

namespace tenon::internal::training {

inline volatile std::sig_atomic_t stop_signal = 0;

/// The second signal of a kind ends the program.
extern "C" inline void tenon_note_stop_signal(int signal) {
  stop_signal = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// Ctrl-C, and the signal of `kill`, as a flag that training checks after every step. During its
/// lifetime the first such signal is recorded; the second ends the program immediately. Its end
/// restores the former handlers. One object at a time.
class StopRequest {
 public:
  StopRequest() {
    internal::training::stop_signal = 0;
    for (int i = 0; i < 2; ++i) {
      former_[i] = std::signal(signals[i], internal::training::tenon_note_stop_signal);
    }
  }
  ~StopRequest() {
    for (int i = 0; i < 2; ++i) std::signal(signals[i], former_[i]);
  }
  StopRequest(StopRequest const&) = delete;
  StopRequest& operator=(StopRequest const&) = delete;

  explicit operator bool() const { return internal::training::stop_signal != 0; }

 private:
  using Handler = void (*)(int);
  static constexpr int signals[] = {SIGINT, SIGTERM};

  Handler former_[2] = {SIG_DFL, SIG_DFL};
};

}  // namespace tenon::training
