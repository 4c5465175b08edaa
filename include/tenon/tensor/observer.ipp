#pragma once

#include <chrono>

#include <tenon/core/config.hpp>
#include <tenon/tensor/observer.hpp>

namespace tenon::internal {

TENON_RUNTIME Observer::~Observer() {
  Observer** at = &current_;
  while (*at != nullptr && *at != this) at = &(*at)->around_;
  if (*at == this) *at = around_;
}

TENON_RUNTIME std::int64_t Observer::now() const {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

TENON_RUNTIME std::int64_t Observer::time() {
  std::int64_t const now = current_->now();
  return now == 0 ? 1 : now;  // 0 means that there is no observer
}

TENON_RUNTIME void Observer::tell(ObservedKernel kernel) {
  struct Paused {
    Observer* first = std::exchange(current_, nullptr);
    ~Paused() { current_ = first; }
  };
  if (current_ == nullptr) return;
  kernel.ended = current_->now();
  Paused const paused;
  for (Observer* told = paused.first; told != nullptr; told = told->around_) told->ran(kernel);
}

}  // namespace tenon::internal
