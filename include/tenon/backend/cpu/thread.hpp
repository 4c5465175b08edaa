#pragma once

#include <mutex>

#if __has_include(<pthread.h>)
#include <pthread.h>
#include <unistd.h>
#else
#include <condition_variable>
#include <system_error>
#include <thread>
#endif

/// Threads of the system, for the runtime. (<thread> and <condition_variable> include <ostream> and
/// the whole of <memory> in libstdc++ 12: a tenth of the time of a header-only program.)
namespace tenon::internal {

#if __has_include(<pthread.h>)

class Thread {
 public:
  /// Whether the system provides a thread, which runs `function(context)`.
  bool start(void* (*function)(void* context), void* context) {
    return is_started_ = pthread_create(&thread_, nullptr, function, context) == 0;
  }
  void join() {
    if (is_started_) pthread_join(thread_, nullptr);
  }

  static long hardware_threads() { return sysconf(_SC_NPROCESSORS_ONLN); }

 private:
  pthread_t thread_{};
  bool is_started_ = false;
};

class Condition {
 public:
  void wait(std::unique_lock<std::mutex>& lock) {
    pthread_cond_wait(&condition_, lock.mutex()->native_handle());
  }
  void notify_one() { pthread_cond_signal(&condition_); }
  void notify_all() { pthread_cond_broadcast(&condition_); }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

#else

class Thread : std::thread {
 public:
  bool start(void* (*function)(void* context), void* context) try {
    static_cast<std::thread&>(*this) = std::thread(function, context);
    return true;
  } catch (std::system_error const&) {
    return false;
  }
  void join() {
    if (joinable()) std::thread::join();
  }

  static long hardware_threads() { return static_cast<long>(hardware_concurrency()); }
};

using Condition = std::condition_variable;

#endif

}  // namespace tenon::internal
