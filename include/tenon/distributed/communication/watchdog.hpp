#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <locale>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include <tenon/core/error.hpp>
#include <tenon/distributed/communication/thread_in_mpi.hpp>

/// A timeout for blocking MPI calls, in which no other messages can be handled.
namespace tenon::internal::mpi {

using Seconds = std::chrono::duration<double>;

/// The value of the environment variable TENON_COLLECTIVE_SECONDS, or 300. Throws `ValueError` for
/// what is no positive number.
inline double time_limit_of_environment() {
  char const* const text = std::getenv("TENON_COLLECTIVE_SECONDS");
  if (text == nullptr) return 300;
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double seconds = 0;
  if (!(stream >> seconds) || !(seconds > 0) || !stream.eof())
    fail<ValueError>({.who = "World",
                      .what = "TENON_COLLECTIVE_SECONDS",
                      .expected = "a positive number",
                      .got = "'" + std::string(text) + "'"});
  return seconds;
}

/// In seconds.
inline std::atomic<double>& time_limit() {
  static std::atomic<double> limit = time_limit_of_environment();
  return limit;
}

/// The last collective that a group has begun.
struct LastCall {
  std::string group;
  Call call{};
  std::uint64_t number = 0;

  /// "waits in all_reduce<sum> float32 "n" of 2 (train.cpp:31), collective 7 of group 'world'"
  std::string text() const {
    return "waits in " + description_of(call) + ", collective " + std::to_string(number) +
           " of group '" + group + "'";
  }
};

/// A thread that polls whether this rank still waits in the same MPI call, and ends the job after
/// the time limit. Entering and leaving a call costs one increment each.
class Watchdog {
 public:
  void start() {
    has_ended_ = false;
    thread_ = std::thread([this] { look(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard const lock(mutex_);
      has_ended_ = true;
    }
    end_.notify_all();
    thread_.join();
  }

  void enter(char const* who, LastCall const* last) {
    who_.store(who, std::memory_order_relaxed);
    last_.store(last, std::memory_order_relaxed);
    count();
  }
  void leave() { count(); }

 private:
  /// Odd while a call waits. (`ThreadInMpi`: only one thread at a time is inside MPI.)
  void count() {
    count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  void look() {
    std::uint64_t seen = 0;
    auto since = Clock::now();
    std::unique_lock lock(mutex_);
    for (;;) {
      Seconds const period((std::min)(1.0, time_limit() / 8));
      if (end_.wait_for(lock, period, [&] { return has_ended_; })) return;
      auto const now = Clock::now();
      std::uint64_t const count = count_.load(std::memory_order_acquire);
      if (count == seen && count % 2 == 1) report_after(now - since);
      else seen = count, since = now;
    }
  }

  /// Ranks report in turn, first those that know of a process that has ended.
  void report_after(Seconds waited) const {
    if (waited.count() < time_limit()) return;
    std::string const others = ranks_that_do_not_run();
    double const head_start = 0.05 * (std::min)(session().rank, 20) + (others.empty() ? 1 : 0);
    if (waited.count() < time_limit() + head_start) return;
    LastCall const* const last = last_.load(std::memory_order_relaxed);
    bool const is_known = last != nullptr && last->number > 0;
    std::string text = is_known ? last->text() : std::string("waits in ") + who_.load();
    text += " in vain, for " + std::to_string(static_cast<int>(waited.count())) + " s";
    text += others.empty() ? "\n  a rank of another host does not run, or what is sent is lost"
                           : others;
    end_job(text);
  }

  static std::string ranks_that_do_not_run() {
    std::string text;
    for (int rank = 0; rank < session().size; ++rank)
      if (!runs(rank)) text += "\n  rank " + std::to_string(rank) + ": " + state_of_process(rank);
    return text;
  }

  std::atomic<char const*> who_ = "";
  std::atomic<LastCall const*> last_ = nullptr;
  std::atomic<std::uint64_t> count_ = 0;
  bool has_ended_ = false;
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread thread_;
};

inline Watchdog& watchdog() {
  static Watchdog one;
  return one;
}

/// RAII guard of a blocking MPI call, which is limited by the time limit.
class Watched {
 public:
  explicit Watched(char const* who, LastCall const* last = nullptr) {
    check_thread(thread_, {.operation = who, .where = {}}, last == nullptr ? "world" : last->group);
    watchdog().enter(who, last);
  }
  Watched(Watched const&) = delete;
  Watched& operator=(Watched const&) = delete;
  ~Watched() { watchdog().leave(); }

 private:
  ThreadInMpi thread_;
};

}  // namespace tenon::internal::mpi
