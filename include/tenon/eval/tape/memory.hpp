#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal {

/// Memory that is allocated in whole cache lines, and freed all at once.
class Arena {
 public:
  std::byte* take(std::size_t bytes) {
    bytes = (bytes + line - 1) / line * line;
    if (bytes > static_cast<std::size_t>(end_ - next_)) grow(bytes);
    return std::exchange(next_, next_ + bytes);
  }
  void clear();

 private:
  static constexpr std::size_t line = 64;

  /// An allocation is contiguous: the rest of the last block is left unused.
  void grow(std::size_t bytes);

  alignas(line) std::array<std::byte, 8192> first_;
  std::byte* next_ = first_.data();
  std::byte* end_ = next_ + first_.size();
  std::vector<SharedBuffer> grown_;
};

/// Buffers for adjoints on a device.
template <class D>
struct AdjointMemory {
  static SharedBuffer take(std::size_t bytes) { return SharedBuffer(bytes); }
  static void clear(void* to, std::size_t bytes) { std::memset(to, 0, bytes); }
  static bool is_ours(SharedBuffer const& buffer) { return buffer.is_spare(); }
  static SharedBuffer copied(void const* from, std::size_t bytes) {
    SharedBuffer buffer = take(bytes);
    if (bytes > 0) std::memcpy(buffer.data(), from, bytes);
    return buffer;
  }
};
template <DeviceWithMemory D>
struct AdjointMemory<D> {
  static SharedBuffer take(std::size_t bytes) { return DeviceBlocks<D>::instance().take(bytes); }
  static void clear(void* to, std::size_t bytes) { D::clear(to, bytes); }
  static bool is_ours(SharedBuffer const& buffer) { return buffer.unique(); }
  static SharedBuffer copied(void const* from, std::size_t bytes) {
    return DeviceBlocks<D>::instance().copied(from, bytes);
  }
};

/// The adjoint of one value: empty, a few elements in the tape's arena, or a buffer.
struct AdjointSlot {
  std::byte* data = nullptr;
  std::uint32_t buffer = 0;  ///< The index of the tape's buffer plus one; 0: none.
};

/// The adjoints of all values of a tape, by number.
class AdjointSlots {
 public:
  std::uint32_t size() const { return size_; }
  AdjointSlot& operator[](std::uint32_t i) { return all_[i]; }

  std::uint32_t add() {
    if (size_ == room_) grow();
    all_[size_] = {};
    return size_++;
  }
  void clear() { size_ = 0; }

 private:
  void grow();

  std::array<AdjointSlot, 64> first_;
  AdjointSlot* all_ = first_.data();
  std::uint32_t size_ = 0, room_ = 64;
  std::vector<AdjointSlot> grown_;
};

/// The memory of a tape. It outlives the tape: the next one of the thread allocates nothing.
struct TapeMemory {
  Arena arena;
  AdjointSlots slots;
  std::vector<SharedBuffer> buffers;

  static TapeMemory* take();
  static void give_back(TapeMemory* memory);

 private:
  struct Leaving {
    ~Leaving();
  };
  static void keep(TapeMemory* memory);

  static inline thread_local TapeMemory* spare_ = nullptr;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>

namespace tenon::internal {

[[gnu::noinline, gnu::cold]] TENON_RUNTIME void Arena::grow(std::size_t bytes) {
  std::size_t const last = grown_.empty() ? first_.size() : grown_.back().bytes();
  grown_.push_back(SharedBuffer((std::max)(bytes, 2 * last)));
  next_ = grown_.back().as<std::byte>();
  end_ = next_ + grown_.back().bytes();
}

[[gnu::noinline, gnu::cold]] TENON_RUNTIME void AdjointSlots::grow() {
  std::vector<AdjointSlot> more(2 * std::size_t{room_});
  std::copy_n(all_, size_, more.data());
  grown_.swap(more);
  all_ = grown_.data();
  room_ *= 2;
}

TENON_RUNTIME void Arena::clear() {
  if (!grown_.empty()) grown_.clear();
  next_ = first_.data();
  end_ = next_ + first_.size();
}

TENON_RUNTIME TapeMemory::Leaving::~Leaving() { delete std::exchange(spare_, nullptr); }

TENON_RUNTIME TapeMemory* TapeMemory::take() {
  if (spare_ == nullptr) return new TapeMemory;
  return std::exchange(spare_, nullptr);
}

TENON_RUNTIME void TapeMemory::give_back(TapeMemory* memory) {
  memory->slots.clear();
  if (!memory->buffers.empty()) memory->buffers.clear();
  memory->arena.clear();
  if (spare_ != nullptr) delete memory;
  else keep(memory);
}

TENON_RUNTIME void TapeMemory::keep(TapeMemory* memory) {
  thread_local Leaving leaving;
  (void)leaving;
  spare_ = memory;
}

}  // namespace tenon::internal

#endif
