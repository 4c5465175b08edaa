#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/tracing.hpp>

/// Observers of the kernels that a thread runs.
namespace tenon::internal {

/// The result of a kernel, or an adjoint that its backward added to. Valid during the call.
struct ObservedValue {
  std::string_view dtype{};
  std::string_view spec{};  ///< Empty for an adjoint.
  int rank = 0;
  Sizes sizes{};
  void const* elements = nullptr;  ///< Row-major; null where they are in the memory of a device.
  std::int64_t bytes = 0;
};

/// A kernel that has run. Valid during the call.
struct ObservedKernel {
  ir::Node expression{};  ///< Without a type in a backward that is not that of an expression.
  std::string_view device{};
  bool is_backward = false;
  std::int64_t started = 0, ended = 0;  ///< Nanoseconds of the observer's clock.
  std::span<ObservedValue const> values{};
};

/// Receives each kernel that this thread runs, between its construction and its destruction, which
/// are on the same thread. Small tensors of static size, which are computed in registers, have
/// no kernels. What an observer computes itself is not observed.
class Observer {
 public:
  Observer() : around_(std::exchange(current_, this)) {}
  Observer(Observer const&) = delete;
  Observer& operator=(Observer const&) = delete;
  virtual ~Observer();

  /// May throw: the evaluation then throws.
  virtual void ran(ObservedKernel const& kernel) = 0;

  /// Nanoseconds.
  virtual std::int64_t now() const;

  /// The time at which a kernel starts; 0 where this thread has no observer.
  static std::int64_t start() { return current_ == nullptr ? 0 : time(); }

  /// Tells all observers of this thread, the innermost first, of a kernel that ended now.
  [[gnu::cold]] static void tell(ObservedKernel kernel);

 private:
  [[gnu::cold]] static std::int64_t time();

  static inline thread_local Observer* current_ = nullptr;

  Observer* around_;
};

/// A result of a kernel.
template <class R>
ObservedValue observed_value(Sizes const& sizes, void const* elements) {
  using T = typename R::value_type;
  return {dtype_name<T>,
          R::spec,
          R::rank,
          sizes,
          R::device::is_host ? elements : nullptr,
          count(sizes, R::rank) * static_cast<std::int64_t>(sizeof(T))};
}

/// Reports the kernel of a result to the observers.
template <class R>
[[gnu::cold, gnu::noinline]] void tell_result(ir::Node expression, Sizes const& sizes,
                                              void const* elements, std::int64_t started) {
  ObservedValue const value = observed_value<R>(sizes, elements);
  Observer::tell({expression, R::device::name, false, started, 0, {&value, 1}});
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <ctime>

namespace tenon::internal {

TENON_RUNTIME Observer::~Observer() {
  Observer** at = &current_;
  while (*at != nullptr && *at != this) at = &(*at)->around_;
  if (*at == this) *at = around_;
}

TENON_RUNTIME std::int64_t Observer::now() const {
  timespec now{};  // <chrono> takes the compiler long: in libstdc++ 12 it includes <sstream>
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t const seconds = now.tv_sec;
  return seconds * 1'000'000'000 + now.tv_nsec;
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

#endif
