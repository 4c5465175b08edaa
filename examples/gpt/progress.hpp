#pragma once

// One line that says how far training is. On a terminal it is updated in place.

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace gpt {

class Progress {
 public:
  /// Of so many steps some may have been done before, by a run that was stopped.
  Progress(std::int64_t before, std::int64_t steps, std::int64_t tokens_a_step)
      : before_(before), steps_(steps), tokens_a_step_(tokens_a_step) {}

  /// After every step; says something when it is time to.
  void step(std::int64_t done, double loss, double rate) {
    loss_ += loss;
    ++losses_;
    if (!is_due(done)) return;
    print(done, loss_ / losses_, rate);
    shown_ = seconds();
    stands_ = is_terminal_ && done < steps_;
    loss_ = losses_ = 0;
  }

  /// Where a line stands that would be updated, the next text begins a new one.
  void end() const {
    if (stands_) std::printf("\n");
  }

  /// Since the beginning.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  /// On a terminal ten times a second, elsewhere ten times in all; and at the end.
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
