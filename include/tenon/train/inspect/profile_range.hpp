#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/tensor/tracing.hpp>
#include <tenon/train/inspect/timer.hpp>

namespace tenon::internal::training {

/// Receives the ranges of a thread.
class RangeListener {
 public:
  virtual void ended(std::string_view name, std::int64_t started) = 0;

  static inline thread_local RangeListener* current = nullptr;

 protected:
  ~RangeListener() = default;
};

}  // namespace tenon::internal::training

namespace tenon::training {

/// A named part of a program, from construction to destruction: a profiler of this thread lists it,
/// and errors of `FiniteChecks` name it. PyTorch: `torch.profiler.record_function`.
class ProfileRange {
 public:
  explicit ProfileRange(std::string_view name)
      : name_(name),
        started_(internal::Observer::start()),
        around_(std::exchange(current_, this)) {}
  ProfileRange(ProfileRange const&) = delete;
  ProfileRange& operator=(ProfileRange const&) = delete;
  ~ProfileRange() {
    current_ = around_;
    auto* const listener = internal::training::RangeListener::current;
    if (listener != nullptr && started_ != 0) listener->ended(name_, started_);
  }

  /// The names of the open ranges of this thread: "step/forward"; empty outside of any.
  static std::string path() { return current_ == nullptr ? std::string() : current_->own_path(); }

 private:
  std::string own_path() const {
    return around_ == nullptr ? name_ : around_->own_path() + "/" + name_;
  }

  static inline thread_local ProfileRange const* current_ = nullptr;

  std::string name_;
  std::int64_t started_;
  ProfileRange const* around_;
};

}  // namespace tenon::training
