#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/tensor/block.hpp>

namespace tenon {

/// A handle to shared memory: 64-byte aligned, uninitialised, reference-counted. Copying shares;
/// whoever wants to write asks `unique` first. A null handle (default-constructed) may live in a
/// constant expression. Thread-safe as `std::shared_ptr` is.
class SharedBuffer {
 public:
  constexpr SharedBuffer() = default;

  /// Throws `Error` where memory cannot be had. Zero bytes are a buffer like any other.
  explicit SharedBuffer(std::size_t bytes) : block_(BlockCache::instance().take(bytes)) {}

  /// Takes over memory that is not ours: `owner` is kept until the last handle is gone, and its
  /// destructor gives the memory back (a `std::shared_ptr`, a `std::vector`, a lambda's captures).
  template <class Owner>
  static SharedBuffer adopt(void* data, std::size_t bytes, Owner owner);

  constexpr SharedBuffer(SharedBuffer const& other) noexcept : block_(other.block_) {
    if (block_) share();
  }
  constexpr SharedBuffer(SharedBuffer&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)) {}
  constexpr SharedBuffer& operator=(SharedBuffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  constexpr ~SharedBuffer() {
    if (block_) drop();
  }

  constexpr explicit operator bool() const { return block_ != nullptr; }
  constexpr void* data() const { return block_ ? block_->data : nullptr; }
  constexpr std::size_t bytes() const { return block_ ? block_->bytes : 0; }

  template <class T>
  T* as() const {
    return static_cast<T*>(data());
  }

  /// Is this the only handle? Acquires, so that writing after a `true` races with no former owner.
  constexpr bool unique() const {
    return !block_ || block_->owners.load(std::memory_order_acquire) == 1;
  }

  /// May it be written over? Nobody else has it, and it was not lent by somebody.
  constexpr bool is_spare() const { return block_ && block_->base && unique(); }

  /// The same memory, not merely equal contents.
  friend constexpr bool operator==(SharedBuffer const& a, SharedBuffer const& b) {
    return a.block_ == b.block_;
  }

 private:
  explicit SharedBuffer(MemoryBlock* block) : block_(block) {}

  void share() const { block_->owners.fetch_add(1, std::memory_order_relaxed); }
  /// (Apart, since every recipe drops handles in many places.)
  [[gnu::noinline]] void drop() const noexcept {
    if (block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) block_->release(block_);
  }

  MemoryBlock* block_ = nullptr;
};

template <class Owner>
SharedBuffer SharedBuffer::adopt(void* data, std::size_t bytes, Owner owner) {
  struct Adopted : MemoryBlock {
    explicit Adopted(Owner&& kept) : owner(std::move(kept)) {}
    Owner owner;
  };
  auto* const block = new Adopted(std::move(owner));
  block->data = data;
  block->bytes = bytes;
  block->release = [](MemoryBlock* released) { delete static_cast<Adopted*>(released); };
  return SharedBuffer(static_cast<MemoryBlock*>(block));
}

namespace memory {

/// Times the system was asked for memory since the start of the program.
inline std::int64_t system_allocations() {
  return BlockCache::instance().counts().system_allocations;
}

/// Bytes in the buffers that are alive, each rounded up to its size class. Adopted memory is not
/// counted.
inline std::int64_t bytes_in_use() { return BlockCache::instance().counts().bytes_in_use; }

/// Bytes that wait to be used again.
inline std::int64_t bytes_cached() { return BlockCache::instance().counts().bytes_cached; }

/// Gives the waiting blocks back to the system.
inline void release() { BlockCache::instance().clear(); }

/// Throws `ShapeError` for a negative size.
inline void check_not_negative(std::int64_t size) {
  if (size >= 0) return;
  std::string const got = std::to_string(size);
  fail<ShapeError>({.who = "memory", .expected = "a size of at least 0", .got = got});
}

/// The bytes of `sizes` elements of `element` bytes. Throws `ShapeError` for a negative size or a
/// number of bytes that does not fit.
inline std::size_t bytes_of(std::span<std::int64_t const> sizes, std::size_t element) {
  auto bytes = static_cast<std::int64_t>(element);
  bool empty = false, fits = true;
  for (std::int64_t const size : sizes) {
    check_not_negative(size);
    empty = empty || size == 0;
    fits = !__builtin_mul_overflow(bytes, size, &bytes) && fits;
  }
  if (empty) return 0;
  if (!fits) fail<ShapeError>({.who = "memory", .expected = "less than 2^63 bytes", .got = "more"});
  return static_cast<std::size_t>(bytes);
}

}  // namespace memory

}  // namespace tenon
