#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

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
  void* take(SizeClass size) {
    std::lock_guard const lock(mutex_);
    auto& list = lists_[size.index];
    if (list.empty()) return nullptr;
    void* const data = list.back();
    list.pop_back();
    return data;
  }
  void give_back(void* data, std::size_t index) {
    std::lock_guard const lock(mutex_);
    lists_[index].push_back(data);
  }
  /// Calls `f(data)` for each of them and removes it.
  template <class F>
  void clear(F const& f) {
    std::lock_guard const lock(mutex_);
    for (auto& list : lists_) {
      for (void* const data : list) f(data);
      list.clear();
    }
  }

 private:
  std::mutex mutex_;
  std::array<std::vector<void*>, SizeClass::count> lists_{};
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
    return SharedBuffer::adopt(data, bytes, Returned{data, size.index});
  }

  /// The same with a copy of `bytes` bytes of the device's memory.
  SharedBuffer copied(void const* from, std::size_t bytes) {
    SharedBuffer copy = take(bytes);
    if (bytes > 0) D::copy_on_device(copy.data(), from, bytes);
    return copy;
  }

  /// Frees every idle block on the device.
  void clear() { spare_.clear(&D::deallocate); }

 private:
  /// The owner of a block in use: its destructor returns the block.
  class Returned {
   public:
    Returned(void* data, std::size_t index) : data_(data), index_(index) {}
    Returned(Returned&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), index_(other.index_) {}
    Returned& operator=(Returned&&) = delete;
    ~Returned() {
      if (data_ != nullptr) instance().spare_.give_back(data_, index_);
    }

   private:
    void* data_;
    std::size_t index_;
  };

  void* reuse_or_ask(SizeClass size) {
    if (void* const known = spare_.take(size)) return known;
    if (void* const fresh = D::allocate(size.capacity)) return fresh;
    clear();
    return D::allocate(size.capacity);
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(std::size_t bytes) {
    std::string const wanted = std::to_string(bytes) + " bytes of the device's memory";
    std::string where;
    if constexpr (requires { D::memory_left(); }) where = D::memory_left();
    fail<DeviceError>({.who = D::name, .expected = wanted, .got = "none", .where = where});
  }

  SpareBlocks spare_;
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
