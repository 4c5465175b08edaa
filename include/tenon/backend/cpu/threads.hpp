#pragma once

#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>

namespace tenon {

/// Threads that work on the chunks of one call at a time, together with the thread that calls. They
/// look out for the next call for some microseconds, then sleep. Which thread takes which chunk is
/// left to chance: whoever cuts the chunks must not let the result depend on it.
class ThreadPool {
 public:
  using Call = void (*)(void* context, std::int64_t chunk);

  /// Never destroyed, only stopped: what is in static storage may still compute after that, alone.
  static ThreadPool& instance() {
    static ThreadPool& pool = *new ThreadPool(default_threads());
    static struct Stop {
      ~Stop() { pool.stop_at_exit(); }
    } const stop;
    return pool;
  }

  int threads() const { return threads_.load(std::memory_order_relaxed); }

  void set_threads(int count) {
    if (count < 1 || count > most_threads) refuse("set_threads", std::to_string(count));
    if (inside_) throw Error("tenon::set_threads: called from within parallel_for");
    std::lock_guard const one_call(calls_);
    stop_workers();
    threads_.store(count, std::memory_order_relaxed);
  }

  /// Calls `call(context, i)` for every i in [0, chunks). The first exception that is seen ends the
  /// call: chunks not yet begun are left out, and it is thrown here. A call from within a chunk, or
  /// while another thread's call is under way, runs in place.
  void run(std::int64_t chunks, Call call, void* context) {
    std::unique_lock one_call(calls_, std::defer_lock);
    if (chunks <= 1 || threads() == 1 || inside_ || !one_call.try_lock()) {
      for (std::int64_t i = 0; i < chunks; ++i) call(context, i);
      return;
    }
    start_workers();
    Job const job{call, context, chunks};
    open(job);
    work(job);
    close();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  struct Job {
    Call call = nullptr;
    void* context = nullptr;
    std::int64_t chunks = 0;
  };

  static constexpr int most_threads = 1024;
  static constexpr int spins = 2000;  // about 20 µs: two kernels of a training step lie closer

  explicit ThreadPool(int count) : threads_(count) {}

  [[noreturn]] static void refuse(std::string_view who, std::string_view got) {
    throw Error("tenon::" + std::string(who) + ": expected a number of threads from 1 to " +
                std::to_string(most_threads) + ", got '" + std::string(got) + "'");
  }

  static int default_threads() {
    if (char const* const given = std::getenv("TENON_THREADS")) {
      std::string_view const text = given;
      int count = 0;
      auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
      bool const whole = failed == std::errc() && end == text.data() + text.size();
      if (!whole || count < 1 || count > most_threads) refuse("threads: TENON_THREADS", text);
      return count;
    }
    auto const count = static_cast<int>(std::thread::hardware_concurrency());
    return count < 1 ? 1 : count > most_threads ? most_threads : count;
  }

  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  template <class Condition>
  static bool spin_until(Condition condition) {
    for (int i = 0; i < spins; ++i) {
      if (condition()) return true;
      pause();
    }
    return condition();
  }

  /// Where the system gives fewer threads than asked for, those that there are do the work.
  void start_workers() {
    if (!workers_.empty() || stopped_) return;
    try {
      for (int i = 1; i < threads(); ++i) workers_.emplace_back([this] { serve(); });
    } catch (std::system_error const&) {
    }
  }

  void stop_workers() {
    {
      std::lock_guard const lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
    stopping_ = false;
  }

  /// A chunk that ends the program cannot wait for itself.
  void stop_at_exit() {
    if (inside_) return;
    stopped_ = true;
    stop_workers();
  }

  void open(Job const& job) {
    {
      std::lock_guard const lock(mutex_);
      job_ = job;
      next_.store(0, std::memory_order_relaxed);
      open_ = true;
      calls_seen_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
  }

  /// Nobody joins a closed job; whoever has joined is waited for.
  void close() {
    std::unique_lock lock(mutex_);
    open_ = false;
    if (joined_.load(std::memory_order_relaxed) == 0) return;
    lock.unlock();
    auto const all_left = [this] { return joined_.load(std::memory_order_acquire) == 0; };
    if (spin_until(all_left)) return;
    lock.lock();
    left_.wait(lock, all_left);
  }

  void work(Job const& job) {
    inside_ = true;
    try {
      for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < job.chunks;) {
        job.call(job.context, i);
      }
    } catch (...) {
      next_.store(job.chunks, std::memory_order_relaxed);
      std::lock_guard const lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_ = false;
  }

  void serve() {
    for (std::uint64_t seen = 0;;) {
      auto const called = [&] {
        return calls_seen_.load(std::memory_order_acquire) != seen;
      };
      spin_until(called);
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || called(); });
      if (stopping_) return;
      seen = calls_seen_.load(std::memory_order_relaxed);
      if (open_) join(lock);
    }
  }

  void join(std::unique_lock<std::mutex>& lock) {
    Job const job = job_;
    joined_.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    work(job);
    lock.lock();
    if (joined_.fetch_sub(1, std::memory_order_release) == 1) left_.notify_one();
  }

  static inline thread_local bool inside_ = false;

  std::atomic<int> threads_;
  std::mutex calls_;  ///< Held by the call that has the workers.
  std::vector<std::thread> workers_;
  bool stopped_ = false;

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable wake_, left_;
  Job job_;
  bool open_ = false, stopping_ = false;
  std::exception_ptr failure_;
  std::atomic<std::uint64_t> calls_seen_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<int> joined_{0};
};

/// The number of threads that compute. By default TENON_THREADS, else as many as the machine has;
/// throws `Error` where that variable is not a number.
inline int threads() { return ThreadPool::instance().threads(); }

/// Not from within `parallel_for`. No result depends on it.
inline void set_threads(int count) { ThreadPool::instance().set_threads(count); }

/// Calls `f(chunk)` once for every chunk in [0, chunks), in any order, on this thread and on the
/// workers, and returns when all are done. Exceptions of `f` arrive here. Allocates nothing.
template <class F>
void parallel_for(std::int64_t chunks, F&& f) {
  if (chunks == 1) return static_cast<void>(f(std::int64_t{0}));
  if (chunks < 1) return;
  using Function = std::remove_reference_t<F>;
  auto const call = [](void* context, std::int64_t chunk) {
    (*static_cast<Function*>(context))(chunk);
  };
  auto* const context = const_cast<std::remove_cv_t<Function>*>(std::addressof(f));
  ThreadPool::instance().run(chunks, call, static_cast<void*>(context));
}

}  // namespace tenon
