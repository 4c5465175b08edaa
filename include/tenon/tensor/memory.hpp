#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/mutex.hpp>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace tenon::internal {

/// Whether the process has one thread. (As reported by the C library; false where it does not
/// report it.)
inline bool is_single_threaded() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

/// The reference count of a block. Thread-safe; without atomic instructions in a single-threaded
/// process, as `std::shared_ptr` of libstdc++.
class OwnerCount {
 public:
  std::int32_t load() const { return count_.load(MemoryOrder::acquire); }
  /// For a block that is not in use.
  void set_to_one() { count_.store(1, MemoryOrder::relaxed); }
  void add() {
    if (is_single_threaded()) count_.store(relaxed() + 1, MemoryOrder::relaxed);
    else count_.fetch_add(1, MemoryOrder::relaxed);
  }
  /// Returns whether it was the last owner.
  bool remove() {
    if (!is_single_threaded()) return count_.fetch_sub(1, MemoryOrder::acquire_release) == 1;
    count_.store(relaxed() - 1, MemoryOrder::relaxed);
    return relaxed() == 0;
  }

 private:
  std::int32_t relaxed() const { return count_.load(MemoryOrder::relaxed); }

  Atomic<std::int32_t> count_{1};
};

/// The header of a reference-counted memory block. One cache line, so that the data after it in a
/// cached block begin at the next.
struct alignas(64) MemoryBlock {
  OwnerCount owners;
  Atomic<std::int32_t> writers{0};  ///< Owners that may write at any time: `BufferWriter`.
  void* data = nullptr;
  std::size_t bytes = 0;  ///< As requested; of an idle block, its sequence number in the order of
                          ///< release.
  void (*release)(MemoryBlock*) = nullptr;  ///< Frees the block and its data.
  void* base = nullptr;          ///< The start of the system's allocation (cached blocks).
  std::size_t capacity = 0;      ///< Usable bytes (cached blocks).
  MemoryBlock* older = nullptr;  ///< In a list of idle blocks.
  MemoryBlock* newer = nullptr;
};

/// The alignment of the data, in bytes.
inline constexpr std::size_t block_alignment = 64;

/// Four sizes for every power of two: at most a quarter is wasted, and allocations of nearly equal
/// size share their blocks.
struct SizeClass {
  std::size_t capacity;
  std::size_t index;

  static constexpr std::size_t count = 256;

  static constexpr SizeClass of(std::size_t bytes) {
    std::size_t const wanted = bytes < block_alignment ? block_alignment : bytes;
    auto const power = static_cast<std::size_t>(std::numeric_limits<std::size_t>::digits -
                                                std::countl_zero(wanted - 1));
    std::size_t const quarter = std::size_t{1} << (power - 3);
    std::size_t const step = quarter < block_alignment ? block_alignment : quarter;
    std::size_t const capacity = (wanted + step - 1) / step * step;
    return {capacity, power * 4 + capacity / quarter - 5};
  }
};

/// A block of at least this many bytes with one owner, from the block cache; uninitialised. Throws
/// `Error` where the system is out of memory.
MemoryBlock* take_block(std::size_t bytes);

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

/// The memory of the machine in bytes, or a container's limit if that is lower; 16 GiB if unknown
/// (outside of Linux these files do not exist).
std::size_t system_memory();

/// Throws `ShapeError` for a negative size.
void check_not_negative(std::int64_t size);

/// The size in bytes of `sizes` elements of `element` bytes each. Throws `ShapeError` for a
/// negative size or on overflow.
std::size_t bytes_of(std::span<std::int64_t const> sizes, std::size_t element);

}  // namespace memory

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdio>

namespace tenon::internal {

[[gnu::cold, gnu::noinline]] TENON_RUNTIME SharedBuffer SharedBuffer::copied() const {
  SharedBuffer copy(bytes());
  if (bytes() > 0) std::memcpy(copy.data(), data(), bytes());
  return copy;
}

namespace memory {

/// The number at the beginning of a file; 0 where there is none.
inline std::size_t number_in(char const* path, char const* format) {
  std::FILE* const file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  unsigned long long number = 0;
  int const found = std::fscanf(file, format, &number);
  (void)std::fclose(file);
  return found == 1 ? static_cast<std::size_t>(number) : 0;
}

TENON_RUNTIME std::size_t system_memory() {
  std::size_t const machine = number_in("/proc/meminfo", "MemTotal: %llu") * 1024;
  std::size_t const container = number_in("/sys/fs/cgroup/memory.max", "%llu");
  if (machine == 0) return std::size_t{16} << 30;
  return container == 0 ? machine : (std::min)(machine, container);
}

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
