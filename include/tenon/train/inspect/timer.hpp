#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

namespace tenon::internal::training {

/// Nanoseconds of a clock that never goes back. Tests replace it.
using ClockFunction = std::int64_t (*)();

inline std::int64_t steady_clock() {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

constexpr double in_seconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// A stopwatch of wall time, which starts when it is constructed. Kernels on a device may still run
/// when a time is read: call `D::synchronise()` before. PyTorch: `torch.utils.benchmark.Timer`.
class Timer {
 public:
  explicit Timer(internal::training::ClockFunction clock = &internal::training::steady_clock)
      : clock_(clock), started_(clock()), lap_(started_) {}

  /// Seconds since the start.
  double seconds() const { return internal::training::in_seconds(clock_() - started_); }

  /// Seconds since the last call, or since the start.
  double lap() {
    std::int64_t const now = clock_();
    return internal::training::in_seconds(now - std::exchange(lap_, now));
  }

  /// Starts from zero.
  void restart() { started_ = lap_ = clock_(); }

 private:
  internal::training::ClockFunction clock_;
  std::int64_t started_, lap_;
};

}  // namespace tenon::training
