#pragma once

#include <cstddef>

#include <tenon/core/config.hpp>

/// Parts of <atomic>, which takes the compiler as long as a tenth of a program: every file that
/// includes Tenon would pay for it.
namespace tenon::internal {

/// `std::memory_order`.
enum class MemoryOrder : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acquire_release = __ATOMIC_ACQ_REL,
  sequential = __ATOMIC_SEQ_CST
};

/// `std::atomic`, of a number, an enumeration or a pointer.
template <class T>
class Atomic {
 public:
  constexpr Atomic() = default;
  constexpr explicit Atomic(T value) : value_(value) {}
  Atomic(Atomic const&) = delete;
  Atomic& operator=(Atomic const&) = delete;

  T load(MemoryOrder order = MemoryOrder::sequential) const {
    T value;
    __atomic_load(&value_, &value, static_cast<int>(order));
    return value;
  }
  operator T() const { return load(); }
  void store(T value, MemoryOrder order = MemoryOrder::sequential) {
    __atomic_store(&value_, &value, static_cast<int>(order));
  }
  T exchange(T value, MemoryOrder order = MemoryOrder::sequential) {
    T before;
    __atomic_exchange(&value_, &value, &before, static_cast<int>(order));
    return before;
  }
  T fetch_add(T value, MemoryOrder order = MemoryOrder::sequential) {
    return __atomic_fetch_add(&value_, value, static_cast<int>(order));
  }
  T fetch_sub(T value, MemoryOrder order = MemoryOrder::sequential) {
    return __atomic_fetch_sub(&value_, value, static_cast<int>(order));
  }
  /// Stores `value` if the present one is `expected`, which otherwise becomes the present one.
  bool compare_exchange(T& expected, T value) {
    return __atomic_compare_exchange(&value_, &expected, &value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
  }

 private:
  T value_{};
};

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
