#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/block_cache.hpp>

namespace tenon::internal {

/// A handle to shared memory: 64-byte aligned, uninitialised, reference-counted. Copies share;
/// check `unique` before writing. Memory that a `BufferWriter` may write at any time is exposed:
/// values do not share it. A null handle (default-constructed) is usable in constant expressions.
/// Thread-safe as `std::shared_ptr` is.
class SharedBuffer {
 public:
  constexpr SharedBuffer() = default;

  /// Throws `Error` when out of memory. Zero bytes are a valid size.
  explicit SharedBuffer(std::size_t bytes) : block_(take_block(bytes)) {}

  /// Adopts external memory: `owner` is destroyed with the last handle, and its destructor frees
  /// the memory (a `std::shared_ptr`, a `std::vector`, a lambda's captures).
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

  /// Whether this is the only handle except those of writers. Acquires, so that writing after
  /// `true` does not race with former owners.
  constexpr bool unique() const {
    if (!block_) return true;
    std::int32_t const owners = block_->owners.load();
    return owners == 1 || owners == 1 + writers();
  }

  /// Whether the memory may be reused: these are its only handles, and it is not adopted.
  constexpr bool is_spare(std::int32_t handles = 1) const {
    return block_ && block_->base && !is_exposed() && block_->owners.load() == handles;
  }

  /// Whether a `BufferWriter` may write it at any time.
  constexpr bool is_exposed() const { return block_ && writers() != 0; }

  /// Another buffer with the same bytes, in host memory.
  [[gnu::cold]] SharedBuffer copied() const;

  /// Compares identity, not contents.
  friend constexpr bool operator==(SharedBuffer const& a, SharedBuffer const& b) {
    return a.block_ == b.block_;
  }

 private:
  friend class BufferWriter;

  explicit SharedBuffer(MemoryBlock* block) : block_(block) {}

  std::int32_t writers() const { return block_->writers.load(MemoryOrder::relaxed); }

  void share() const { block_->owners.add(); }
  /// (A separate function, since expressions release handles in many places.)
  [[gnu::noinline]] void drop() const noexcept {
    if (block_->owners.remove()) block_->release(block_);
  }

  MemoryBlock* block_ = nullptr;
};

/// A handle that may write at any time: the buffer is exposed during its lifetime.
class BufferWriter {
 public:
  constexpr BufferWriter() = default;
  explicit BufferWriter(SharedBuffer buffer) : buffer_(std::move(buffer)) { begin(); }
  constexpr BufferWriter(BufferWriter const& other) : buffer_(other.buffer_) { begin(); }
  constexpr BufferWriter& operator=(BufferWriter other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  constexpr ~BufferWriter() {
    if (buffer_) buffer_.block_->writers.fetch_sub(1, MemoryOrder::release);
  }

 private:
  constexpr void begin() {
    if (buffer_) buffer_.block_->writers.fetch_add(1, MemoryOrder::relaxed);
  }

  SharedBuffer buffer_;
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

/// Throws `ShapeError` for a negative size.
void check_not_negative(std::int64_t size);

/// The size in bytes of `sizes` elements of `element` bytes each. Throws `ShapeError` for a
/// negative size or on overflow.
std::size_t bytes_of(std::span<std::int64_t const> sizes, std::size_t element);

}  // namespace memory

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::cold, gnu::noinline]] TENON_RUNTIME SharedBuffer SharedBuffer::copied() const {
  SharedBuffer copy(bytes());
  if (bytes() > 0) std::memcpy(copy.data(), data(), bytes());
  return copy;
}

namespace memory {

TENON_RUNTIME void check_not_negative(std::int64_t size) {
  if (size >= 0) return;
  std::string const got = decimal(size);
  fail<ShapeError>({.who = "memory", .expected = "a size of at least 0", .got = got});
}

TENON_RUNTIME std::size_t bytes_of(std::span<std::int64_t const> sizes, std::size_t element) {
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

}  // namespace tenon::internal

#endif
