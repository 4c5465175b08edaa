#pragma once

// One line about the progress of training. On a terminal it is updated in place.

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace gpt {

class Progress {
 public:
  /// `before` of the steps were done by an earlier run.
  Progress(std::int64_t before, std::int64_t steps, std::int64_t tokens_a_step)
      : before_(before), steps_(steps), tokens_a_step_(tokens_a_step) {}

  /// Called after every step; prints if an update is due.
  void step(std::int64_t done, double loss, double rate) {
    loss_ += loss;
    ++losses_;
    if (!is_due(done)) return;
    print(done, loss_ / losses_, rate);
    shown_ = seconds();
    stands_ = is_terminal_ && done < steps_;
    loss_ = losses_ = 0;
  }

  /// Ends the line that is updated, so that further text starts on a new one.
  void end() const {
    if (stands_) std::printf("\n");
  }

  /// Since the construction.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  /// On a terminal ten times per second, otherwise ten times in total; and at the end.
  bool is_due(std::int64_t done) const {
    if (done == steps_) return true;
    if (is_terminal_) return seconds() - shown_ > 0.1;
    return done * 10 / steps_ > (done - 1) * 10 / steps_;
  }

  void print(std::int64_t done, double loss, double rate) const {
    double const each = seconds() / static_cast<double>(done - before_);
    std::printf("%sstep %lld of %lld   loss %.3g   rate %.5f   %.0f tokens/s   %.0f s left%s",
                is_terminal_ ? "\r" : "", static_cast<long long>(done),
                static_cast<long long>(steps_), loss, rate,
                static_cast<double>(tokens_a_step_) / each,
                each * static_cast<double>(steps_ - done),
                !is_terminal_    ? "\n"
                : done == steps_ ? "\x1b[K\n"
                                 : "\x1b[K");
    std::fflush(stdout);
  }

  std::int64_t before_;
  std::int64_t steps_;
  std::int64_t tokens_a_step_;
  bool is_terminal_ = isatty(STDOUT_FILENO) != 0;
  Clock::time_point started_ = Clock::now();
  double shown_ = -1;
  bool stands_ = false;
  double loss_ = 0;
  double losses_ = 0;
};

}  // namespace gpt
