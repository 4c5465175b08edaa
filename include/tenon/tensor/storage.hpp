#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/block_cache.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal {

/// Static tensors of up to this many bytes store their elements in the object: they are inline.
inline constexpr std::int64_t inline_bytes = 256;

constexpr Sizes static_sizes(Shape const& shape) {
  Sizes sizes = unit_sizes();
  for (int i = 0; i < shape.rank; ++i) at(sizes, i) = shape[i].is_static() ? shape[i].size : 0;
  return sizes;
}

constexpr int dynamic_axes(Shape const& shape) {
  int number = 0;
  for (Axis const& axis : shape) number += axis.is_static() ? 0 : 1;
  return number;
}

/// The static sizes of a type with a shape, and its run-time axes.
template <class Carrier>
inline constexpr Sizes static_sizes_of = static_sizes(Carrier::shape);

template <int number>
using AxisList = std::array<std::int8_t, static_cast<std::size_t>(number)>;

template <class Carrier>
constexpr auto list_dynamic_axes() {
  AxisList<dynamic_axes(Carrier::shape)> axes{};
  std::size_t n = 0;
  for (int i = 0; i < Carrier::shape.rank; ++i) {
    if (!Carrier::shape[i].is_static()) axes[n++] = static_cast<std::int8_t>(i);
  }
  return axes;
}
template <class Carrier>
inline constexpr auto dynamic_axes_of = list_dynamic_axes<Carrier>();

/// All sizes from those of the run-time axes, in order. Throws `ShapeError` for a wrong number.
template <class Carrier>
constexpr Sizes sizes_from_run_time(std::string_view spec,
                                    std::initializer_list<std::int64_t> run_time) {
  constexpr auto& axes = dynamic_axes_of<Carrier>;
  if (run_time.size() != axes.size())
    refuse_count(concatenate({"\"", spec, "\": "}), static_cast<std::int64_t>(axes.size()),
                 "run-time sizes", run_time.size());
  Sizes sizes = static_sizes_of<Carrier>;
  for (std::size_t i = 0; i < axes.size(); ++i) at(sizes, axes[i]) = run_time.begin()[i];
  return sizes;
}

/// An array of `number` sizes.
template <int number>
struct SomeSizes {
  std::array<std::int64_t, static_cast<std::size_t>(number)> value;

  constexpr std::int64_t* data() { return value.data(); }
  constexpr std::int64_t const* data() const { return value.data(); }
  constexpr void keep(Sizes const& sizes, AxisList<number> const& axes) {
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = at(sizes, axes[i]);
  }
  /// All sizes: the given ones with these in place of the run-time axes.
  constexpr Sizes among(Sizes sizes, AxisList<number> const& axes) const {
    for (std::size_t i = 0; i < value.size(); ++i) at(sizes, axes[i]) = value[i];
    return sizes;
  }
};

/// The sizes of the run-time axes: every copy of an expression copies those of all its nodes. (A
/// std::array of size 0 is not an empty class in libstdc++. Two empty members of one type cannot
/// have the same address, and the padding for that breaks the alignment: so every node has a
/// distinct type.)
template <int number, class Owner>
struct RunTimeSizes : SomeSizes<number> {};
template <class Owner>
struct RunTimeSizes<0, Owner> {
  static constexpr std::int64_t* data() { return nullptr; }
  constexpr void keep(Sizes const&, AxisList<0> const&) {}
  constexpr Sizes among(Sizes const& sizes, AxisList<0> const&) const { return sizes; }
};

constexpr bool is_inline(Shape const& shape, std::size_t element_bytes) {
  if (!shape.is_static()) return false;
  std::int64_t bytes = static_cast<std::int64_t>(element_bytes);
  for (Axis const& axis : shape) {
    if (axis.size > inline_bytes) return false;
    bytes *= axis.size;
  }
  return bytes <= inline_bytes;
}

/// The register width of the target machine, in bytes.
inline constexpr std::size_t register_bytes =
#if defined(__AVX512F__)
    64;
#elif defined(__AVX__)
    32;
#else
    16;
#endif

/// Elements inside the tensor: in registers, and usable in constant expressions. A copy moves whole
/// registers, then halves and so on, in the width in which they are read: g++ 12 can then eliminate
/// the copies in expressions. (A copy as a whole is split into parts of other sizes than the
/// elements, and stalls store forwarding.)
template <class T, std::int64_t N>
struct InlineStorage {
  static constexpr std::size_t bytes = static_cast<std::size_t>(N) * sizeof(T);

  /// A multiple of 64 bytes is aligned to cache lines: accesses that cross lines are slower, and
  /// store forwarding across them much slower. (The same for every machine: parts of one program
  /// may be compiled for several.)
  static constexpr std::size_t alignment = bytes > 0 && bytes % 64 == 0 ? 64 : alignof(T);

  alignas(alignment) std::array<T, static_cast<std::size_t>(N)> elements;

  /// Zeros.
  constexpr InlineStorage() : elements{} {}
  /// Uninitialised elements. (Zeros would be stored together with the tape's mark, and a load of
  /// the mark would wait for both.)
  explicit constexpr InlineStorage(std::int64_t) {
    if (__builtin_is_constant_evaluated()) elements = {};
  }
  constexpr InlineStorage(InlineStorage const& other) noexcept { copy(other); }
  constexpr InlineStorage& operator=(InlineStorage const& other) noexcept {
    copy(other);
    return *this;
  }
  constexpr ~InlineStorage() = default;

  constexpr T const* data() const { return elements.data(); }
  constexpr T* unshared(std::int64_t) { return elements.data(); }
  template <class F>
  constexpr void set_elements(std::int64_t, F const& write) {
    write(elements.data());
  }

 private:
  constexpr void copy(InlineStorage const& other) {
    if (__builtin_is_constant_evaluated()) elements = other.elements;
    else copy_from<0>(reinterpret_cast<std::byte const*>(other.elements.data()));
  }
  template <std::size_t at>
  TENON_INLINE void copy_from(std::byte const* other) {
    if constexpr (at < bytes) {
      constexpr std::size_t size = std::bit_floor((std::min)(bytes - at, register_bytes));
      using Element = std::conditional_t<std::is_arithmetic_v<T> && sizeof(T) >= 4, T, char>;
      using Piece [[gnu::vector_size(size)]] = Element;
      Piece piece;
      std::memcpy(&piece, other + at, size);
      std::memcpy(reinterpret_cast<std::byte*>(elements.data()) + at, &piece, size);
      copy_from<at + size>(other);
    }
  }
};

/// A member that a move leaves empty in the source.
template <class T>
struct ClearedByMove : T {
  constexpr ClearedByMove() = default;
  constexpr ClearedByMove(T const& given) : T(given) {}
  constexpr ClearedByMove(ClearedByMove const&) = default;
  constexpr ClearedByMove(ClearedByMove&& other) noexcept : T(other) {
    static_cast<T&>(other) = T();
  }
  constexpr ClearedByMove& operator=(ClearedByMove const&) = default;
  constexpr ClearedByMove& operator=(ClearedByMove&& other) noexcept {
    T const moved = other;
    static_cast<T&>(other) = T();
    static_cast<T&>(*this) = moved;
    return *this;
  }
};

[[noreturn, gnu::cold]] void refuse_moved_from();

struct TensorPlaces;

/// A handle to a shared, 64-byte aligned buffer, copied before a write if it is shared, and before
/// sharing if it is exposed. `has_elements`: the tensor always has elements, so a null buffer means
/// moved from.
template <class T, bool has_elements = false>
struct SharedStorage {
  SharedBuffer buffer;

  constexpr SharedStorage() = default;
  explicit SharedStorage(std::int64_t count)
      : buffer(static_cast<std::size_t>(count) * sizeof(T)) {}
  explicit SharedStorage(SharedBuffer shared)
      : buffer(shared.is_exposed() ? shared.copied() : std::move(shared)) {}
  SharedStorage(SharedStorage const& other)
      : buffer(other.buffer.is_exposed() ? other.buffer.copied() : other.buffer) {}
  SharedStorage(SharedStorage&& other) noexcept = default;
  SharedStorage& operator=(SharedStorage const& other) {
    if (buffer != other.buffer) buffer = SharedStorage(other).buffer;
    return *this;
  }
  SharedStorage& operator=(SharedStorage&& other) noexcept = default;
  ~SharedStorage() = default;

  T const* data() const {
    check();
    return buffer.as<T>();
  }
  T* unshared(std::int64_t) {
    check();
    if (!buffer.unique()) buffer = buffer.copied();
    return buffer.as<T>();
  }
  template <class F>
  void set_elements(std::int64_t count, F const& write) {
    if (!buffer) *this = SharedStorage(count);
    write(unshared(count));
  }

 private:
  void check() const {
    if constexpr (has_elements)
      if (!buffer) [[unlikely]]
        refuse_moved_from();
  }
};

/// The elements of a tensor, recorded or not, or of a view, as kernels read them.
template <class E>
TENON_INLINE constexpr auto const* stored_elements(E const& e) {
  if constexpr (requires { e.storage(); }) return e.storage().data();
  else return e.data();
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_moved_from() {
  throw Error("tenon::Tensor: a tensor that was moved from has no elements: assign to it first");
}

}  // namespace tenon::internal

#endif
