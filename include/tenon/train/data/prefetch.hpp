#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include <tenon/core/config.hpp>

namespace tenon::internal::training {

/// Whether a batch that is being made is no longer wanted.
using Cancelled = std::atomic<bool>;

/// Makes batches in a separate thread, at most `depth` ahead of the consumer:
/// `make(number, cancelled)` for every number from `begin` to before `end`. Destruction sets
/// `cancelled`, and waits until `make` returns or throws.
template <class Batch>
class Prefetcher {
 public:
  using Make = std::function<Batch(std::int64_t, Cancelled const&)>;

  Prefetcher(Make make, std::int64_t begin, std::int64_t end, std::int64_t depth)
      : make_(std::move(make)),
        depth_(static_cast<std::size_t>(depth)),
        thread_([this, begin, end] { run(begin, end); }) {}
  Prefetcher(Prefetcher const&) = delete;
  Prefetcher& operator=(Prefetcher const&) = delete;
  ~Prefetcher() { stop(); }

  /// Waits for the next batch; rethrows the exception of `make`, and must not be called after that.
  Batch take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !made_.empty(); });
    Made made = std::move(made_.front());
    made_.pop_front();
    lock.unlock();
    changed_.notify_one();
    if (auto* const batch = std::get_if<Batch>(&made)) return std::move(*batch);
    stop();  // what the exception refers to is no longer used by the thread
    std::rethrow_exception(std::get<std::exception_ptr>(std::move(made)));
  }

 private:
  using Made = std::variant<std::exception_ptr, Batch>;

  void stop() {
    {
      std::lock_guard const lock(mutex_);
      is_stopped_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  void run(std::int64_t begin, std::int64_t end) {
    for (std::int64_t number = begin; number < end && has_room(); ++number) {
      Made made = make(number);
      bool const goes_on = std::holds_alternative<Batch>(made);
      put(std::move(made));
      if (!goes_on) return;
    }
  }

  Made make(std::int64_t number) {
    try {
      return make_(number, is_stopped_);
    } catch (...) {
      return std::current_exception();
    }
  }

  /// Waits until another batch may be made; false where none is wanted any more.
  bool has_room() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_stopped_ || made_.size() < depth_; });
    return !is_stopped_;
  }

  void put(Made made) {
    {
      std::lock_guard const lock(mutex_);
      made_.push_back(std::move(made));
    }
    changed_.notify_one();
  }

  Make make_;
  std::size_t depth_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<Made> made_{};
  Cancelled is_stopped_{false};
  std::thread thread_;  // last: it uses the others
};

}  // namespace tenon::internal::training
