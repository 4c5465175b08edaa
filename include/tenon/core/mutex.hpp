#pragma once

#include <cstddef>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// `std::mutex`; only the runtime includes <mutex>.
class Mutex {
 public:
  Mutex();
  Mutex(Mutex const&) = delete;
  Mutex& operator=(Mutex const&) = delete;
  ~Mutex();

  void lock();
  void unlock();

 private:
  alignas(std::max_align_t) std::byte mutex_[128];  ///< Contains a `std::mutex`.
};

/// Holds a mutex until the end of its scope, as `std::lock_guard`.
class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  MutexLock(MutexLock const&) = delete;
  MutexLock& operator=(MutexLock const&) = delete;
  ~MutexLock() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <mutex>
#include <new>

namespace tenon::internal {

TENON_RUNTIME std::mutex& std_mutex(std::byte* place) {
  return *std::launder(reinterpret_cast<std::mutex*>(place));
}

TENON_RUNTIME Mutex::Mutex() {
  static_assert(sizeof(std::mutex) <= sizeof(mutex_));
  ::new (mutex_) std::mutex;
}
TENON_RUNTIME Mutex::~Mutex() { std_mutex(mutex_).~mutex(); }
TENON_RUNTIME void Mutex::lock() { std_mutex(mutex_).lock(); }
TENON_RUNTIME void Mutex::unlock() { std_mutex(mutex_).unlock(); }

}  // namespace tenon::internal

#endif
