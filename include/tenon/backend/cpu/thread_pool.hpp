#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <tenon/backend/cpu/thread.hpp>
#include <tenon/backend/cpu/thread_count.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/mutex.hpp>

namespace tenon::internal {

/// Threads that work on the chunks of one call at a time, together with the calling thread. They
/// spin for some microseconds before they sleep. Each starts with its own share, for cache reuse
/// between calls, then steals from the others: the assignment of chunks to threads is unspecified,
/// and results must not depend on it.
class WorkerThreads {
 public:
  using Call = void (*)(void* context, std::int64_t chunk);

  /// Never destroyed, only stopped: static objects may still compute after that, on one thread.
  [[gnu::noinline]] static WorkerThreads& instance() {
    static WorkerThreads& pool = *new WorkerThreads(thread_count::initial());
    static struct Stop {
      ~Stop() { pool.stop_at_exit(); }
    } const stop;
    return pool;
  }

  /// The index of this thread in the current call: 0 for the caller.
  static std::size_t thread_index() { return index_; }

  int threads() const { return threads_.load(MemoryOrder::relaxed); }

  [[gnu::cold]] void set_threads(int count) {
    if (!thread_count::fits(count)) thread_count::refuse("set_threads", "", decimal(count));
    if (inside_) throw Error("tenon::set_threads: called from within parallel_for");
    std::lock_guard const one_call(calls_);
    stop_workers();
    threads_.store(count, MemoryOrder::relaxed);
  }

  /// Calls `call(context, i)` for every i in [0, chunks). The first exception ends the call: chunks
  /// not yet started are skipped, and it is rethrown here. A nested call, or one concurrent with
  /// another, runs on the calling thread.
  [[gnu::noinline]] void run(std::int64_t chunks, Call call, void* context) {
    std::unique_lock one_call(calls_, std::defer_lock);
    if (chunks <= 1 || threads() == 1 || inside_ || !one_call.try_lock()) {
      for (std::int64_t i = 0; i < chunks; ++i) call(context, i);
      return;
    }
    start_workers();
    Job const job{call, context, chunks};
    open(job);
    work(job, 0);
    close();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  struct Job {
    Call call = nullptr;
    void* context = nullptr;
    std::int64_t chunks = 0;
  };

  /// The chunks assigned to one thread at first, on a separate cache line.
  struct alignas(64) Share {
    Atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };

  /// A thread, and its number: the calling thread is number 0.
  struct Worker {
    Thread thread;
    std::size_t index = 0;
  };

  static constexpr int spins = 4000;  // about 50 µs: longer than between two kernels

  [[gnu::cold]] explicit WorkerThreads(int count) : threads_(count) {}

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

  /// If the system provides fewer threads than requested, those are used.
  [[gnu::noinline, gnu::cold]] void start_workers() {
    auto const count = static_cast<std::size_t>(threads());
    if (shares_.size() != count) shares_ = std::vector<Share>(count);
    if (!workers_.empty() || stopped_) return;
    workers_ = std::vector<Worker>(count - 1);
    for (std::size_t i = 1; i < count; ++i) {
      Worker& worker = workers_[i - 1];
      worker.index = i;
      if (!worker.thread.start(&serve_as, &worker)) return;
    }
  }

  [[gnu::noinline, gnu::cold]] void stop_workers() {
    {
      std::lock_guard const lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (Worker& worker : workers_) worker.thread.join();
    workers_.clear();
    stopping_ = false;
  }

  /// If exit is called within a chunk, it cannot wait for that chunk.
  void stop_at_exit() {
    if (inside_) return;
    stopped_ = true;
    stop_workers();
  }

  void open(Job const& job) {
    {
      std::lock_guard const lock(mutex_);
      job_ = job;
      deal(job.chunks);
      open_ = true;
      calls_seen_.fetch_add(1, MemoryOrder::release);
    }
    wake_.notify_all();
  }

  void deal(std::int64_t chunks) {
    auto const count = static_cast<std::int64_t>(shares_.size());
    std::int64_t const each = chunks / count, longer = chunks % count;
    std::int64_t begin = 0, i = 0;
    for (Share& share : shares_) {
      share.next.store(begin, MemoryOrder::relaxed);
      share.end = begin += each + (i++ < longer ? 1 : 0);
    }
  }

  /// No thread can join a closed job; those that have joined are waited for.
  void close() {
    std::unique_lock lock(mutex_);
    open_ = false;
    if (joined_.load(MemoryOrder::relaxed) == 0) return;
    lock.unlock();
    auto const all_left = [this] { return joined_.load(MemoryOrder::acquire) == 0; };
    if (spin_until(all_left)) return;
    lock.lock();
    while (!all_left()) left_.wait(lock);
  }

  [[gnu::noinline]] void work(Job const& job, std::size_t thread) {
    inside_ = true;
    index_ = thread;
    try {
      for (std::size_t i = 0; i < shares_.size(); ++i) {
        Share& share = shares_[(thread + i) % shares_.size()];
        for (std::int64_t chunk; (chunk = share.next.fetch_add(1)) < share.end;) {
          job.call(job.context, chunk);
        }
      }
    } catch (...) {
      fail(std::current_exception());
    }
    inside_ = false;
  }

  [[gnu::noinline, gnu::cold]] void fail(std::exception_ptr failure) {
    for (Share& share : shares_) share.next.store(share.end, MemoryOrder::relaxed);
    std::lock_guard const lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }

  static void* serve_as(void* worker) {
    instance().serve(static_cast<Worker*>(worker)->index);
    return nullptr;
  }

  void serve(std::size_t thread) {
    for (std::uint64_t seen = 0;;) {
      auto const called = [&] { return calls_seen_.load(MemoryOrder::acquire) != seen; };
      spin_until(called);
      std::unique_lock lock(mutex_);
      while (!stopping_ && !called()) wake_.wait(lock);
      if (stopping_) return;
      seen = calls_seen_.load(MemoryOrder::relaxed);
      if (open_) join(lock, thread);
    }
  }

  void join(std::unique_lock<std::mutex>& lock, std::size_t thread) {
    Job const job = job_;
    joined_.fetch_add(1, MemoryOrder::relaxed);
    lock.unlock();
    work(job, thread);
    lock.lock();
    if (joined_.fetch_sub(1, MemoryOrder::release) == 1) left_.notify_one();
  }

  static inline thread_local bool inside_ = false;  ///< Within a chunk of a shared call.
  static inline thread_local std::size_t index_ = 0;

  Atomic<int> threads_;
  std::mutex calls_;  ///< Held by the call that has the workers.
  std::vector<Worker> workers_;
  std::vector<Share> shares_;
  bool stopped_ = false;

  std::mutex mutex_;  ///< Guards what follows.
  Condition wake_, left_;
  Job job_;
  bool open_ = false, stopping_ = false;
  std::exception_ptr failure_;
  Atomic<std::uint64_t> calls_seen_{0};
  Atomic<int> joined_{0};
};

}  // namespace tenon::internal
