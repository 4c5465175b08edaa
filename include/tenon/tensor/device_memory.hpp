#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/mutex.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

/// Replaces `DeviceBlocks` as the allocator of a device's memory on this thread.
template <DeviceWithMemory D>
struct DeviceLender {
  virtual SharedBuffer lend(std::size_t bytes) = 0;
  /// Keeps a buffer that is read alive as long as the lender.
  virtual void hold(SharedBuffer const& buffer) = 0;

  static inline thread_local DeviceLender* current = nullptr;

 protected:
  ~DeviceLender() = default;
};

/// Idle blocks of memory, by size. Thread-safe.
class SpareBlocks {
 public:
  /// Null if there is none of this size.
  void* take(SizeClass size);
  void give_back(void* data, std::size_t index);
  /// Removes them all, after `deallocate`.
  void clear(void (*deallocate)(void* data));

 private:
  Mutex mutex_;
  std::array<std::vector<void*>, SizeClass::count> lists_{};
};

/// Counters of the blocks of a device's memory, in bytes of size classes. Thread-safe.
class BlockCounts {
 public:
  struct Counts {
    std::int64_t system_allocations = 0, allocations = 0;
    std::int64_t bytes_in_use = 0, peak_bytes = 0, bytes_held = 0;
  };

  void lent(std::size_t bytes) {
    MutexLock const lock(mutex_);
    ++counts_.allocations;
    counts_.bytes_in_use += static_cast<std::int64_t>(bytes);
    if (counts_.bytes_in_use > counts_.peak_bytes) counts_.peak_bytes = counts_.bytes_in_use;
  }
  void returned(std::size_t bytes) {
    MutexLock const lock(mutex_);
    counts_.bytes_in_use -= static_cast<std::int64_t>(bytes);
  }
  void allocated(std::size_t bytes) {
    MutexLock const lock(mutex_);
    ++counts_.system_allocations;
    counts_.bytes_held += static_cast<std::int64_t>(bytes);
  }
  /// The idle blocks were freed.
  void freed() {
    MutexLock const lock(mutex_);
    counts_.bytes_held = counts_.bytes_in_use;
  }
  void reset_peak() {
    MutexLock const lock(mutex_);
    counts_.peak_bytes = counts_.bytes_in_use;
  }
  Counts counts() {
    MutexLock const lock(mutex_);
    return counts_;
  }

 private:
  Mutex mutex_;
  Counts counts_;
};

/// A cache of a device's memory blocks by size: as the device executes in order, a block may be
/// reused while the kernels of its last owner still run. Thread-safe.
template <DeviceWithMemory D>
class DeviceBlocks {
 public:
  /// Never destroyed: a tensor in static storage may release its block at any time.
  static DeviceBlocks& instance() {
    static DeviceBlocks& blocks = *new DeviceBlocks;
    return blocks;
  }

  /// A buffer of `bytes` bytes. Throws `DeviceError` where the device is out of memory.
  SharedBuffer take(std::size_t bytes) {
    if (DeviceLender<D>* const lender = DeviceLender<D>::current) return lender->lend(bytes);
    return take_own(bytes);
  }

  /// The same, regardless of any lender.
  SharedBuffer take_own(std::size_t bytes) {
    SizeClass const size = SizeClass::of(bytes);
    void* const data = reuse_or_ask(size);
    if (data == nullptr) refuse(bytes);
    counts_.lent(size.capacity);
    return SharedBuffer::adopt(data, bytes, Returned{data, size});
  }

  /// The same with a copy of `bytes` bytes of the device's memory.
  SharedBuffer copied(void const* from, std::size_t bytes) {
    SharedBuffer copy = take(bytes);
    if (bytes > 0) D::copy_on_device(copy.data(), from, bytes);
    return copy;
  }

  /// Frees every idle block on the device.
  void clear() {
    spare_.clear([](void* data) { D::deallocate(data); });
    counts_.freed();
  }

  BlockCounts& counts() { return counts_; }

 private:
  /// The owner of a block in use: its destructor returns the block.
  class Returned {
   public:
    Returned(void* data, SizeClass size) : data_(data), size_(size) {}
    Returned(Returned&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
    Returned& operator=(Returned&&) = delete;
    ~Returned() {
      if (data_ == nullptr) return;
      instance().counts_.returned(size_.capacity);
      instance().spare_.give_back(data_, size_.index);
    }

   private:
    void* data_;
    SizeClass size_;
  };

  void* reuse_or_ask(SizeClass size) {
    if (void* const known = spare_.take(size)) return known;
    void* fresh = D::allocate(size.capacity);
    if (fresh == nullptr) clear(), fresh = D::allocate(size.capacity);
    if (fresh != nullptr) counts_.allocated(size.capacity);
    return fresh;
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(std::size_t bytes) {
    std::string const wanted =
        concatenate({decimal(static_cast<std::int64_t>(bytes)), " bytes of the device's memory"});
    std::string where;
    if constexpr (requires { D::memory_left(); }) where = D::memory_left();
    fail<DeviceError>({.who = D::name, .expected = wanted, .got = "none", .where = where});
  }

  SpareBlocks spare_;
  BlockCounts counts_;
};

namespace memory {

/// Frees the idle blocks of a device's memory. (Their number is not limited.) PyTorch:
/// `torch.cuda.empty_cache`.
template <DeviceWithMemory D>
void empty_cache() {
  DeviceBlocks<D>::instance().clear();
}

}  // namespace memory

}  // namespace tenon::internal

namespace tenon::memory {

using internal::memory::empty_cache;

}  // namespace tenon::memory

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME void* SpareBlocks::take(SizeClass size) {
  MutexLock const lock(mutex_);
  auto& list = lists_[size.index];
  if (list.empty()) return nullptr;
  void* const data = list.back();
  list.pop_back();
  return data;
}

TENON_RUNTIME void SpareBlocks::give_back(void* data, std::size_t index) {
  MutexLock const lock(mutex_);
  lists_[index].push_back(data);
}

TENON_RUNTIME void SpareBlocks::clear(void (*deallocate)(void* data)) {
  MutexLock const lock(mutex_);
  for (auto& list : lists_) {
    for (void* const data : list) deallocate(data);
    list.clear();
  }
}

}  // namespace tenon::internal

#endif
