#pragma once

#include <tenon/backend/cpu/simd/lanes_native.hpp>
#include <tenon/core/config.hpp>

#if !TENON_USES_XSIMD

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tenon::internal::simd {

template <class T>
struct VectorOf {
  using type [[gnu::vector_size(native_bytes)]] = T;
};
/// Unsigned integers of the width of a dtype's elements, for bit operations and wrap-around.
template <class T>
using WordOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
using SignedWordOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

#if defined(__AVX512F__)

/// A bit for each element.
template <class T>
struct Flags {
  using register_type = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
  register_type bits;

  Flags() = default;
  explicit Flags(register_type b) : bits(b) {}
  explicit Flags(bool all) : bits(static_cast<register_type>(all ? -1 : 0)) {}
  operator register_type() const { return bits; }

  static Flags load_unaligned(bool const* from) {
    Flags x(false);
    for (unsigned i = 0; i < 8 * sizeof bits; ++i)
      x.bits = static_cast<register_type>(x.bits | unsigned{from[i]} << i);
    return x;
  }
  void store_unaligned(bool* to) const {
    for (unsigned i = 0; i < 8 * sizeof bits; ++i) to[i] = get(i);
  }
  bool get(std::size_t i) const { return (bits >> i & 1) != 0; }
  bool any() const { return bits != 0; }
  bool all() const { return bits == static_cast<register_type>(-1); }

  TENON_INLINE friend Flags operator&(Flags a, Flags b) {
    return Flags(static_cast<register_type>(a.bits & b.bits));
  }
  TENON_INLINE friend Flags operator|(Flags a, Flags b) {
    return Flags(static_cast<register_type>(a.bits | b.bits));
  }
  TENON_INLINE friend Flags operator~(Flags a) {
    return Flags(static_cast<register_type>(~a.bits));
  }
};

#else

/// All bits of an element are set, or none.
template <class T>
struct Flags {
  using Vector = typename VectorOf<SignedWordOf<T>>::type;
  using register_type = typename NativeRegister<T>::type;
  static constexpr std::size_t size = native_bytes / sizeof(T);
  Vector elements;

  Flags() = default;
  explicit Flags(register_type r) : elements(std::bit_cast<Vector>(r)) {}
  explicit Flags(bool all) : elements(Vector{} - SignedWordOf<T>(all)) {}
  operator register_type() const { return std::bit_cast<register_type>(elements); }
  TENON_INLINE static Flags of(Vector elements) {
    Flags x;
    x.elements = elements;
    return x;
  }

  static Flags load_unaligned(bool const* from) {
    Flags x;
    for (std::size_t i = 0; i < size; ++i) x.elements[i] = from[i] ? -1 : 0;
    return x;
  }
  void store_unaligned(bool* to) const {
    for (std::size_t i = 0; i < size; ++i) to[i] = elements[i] != 0;
  }
  bool get(std::size_t i) const { return elements[i] != 0; }
  int signs() const {
    using Native = NativeRegister<float>;
    return Native::signs(std::bit_cast<Native::type>(elements));
  }
  bool any() const { return signs() != 0; }
  bool all() const { return signs() == (1 << native_bytes / sizeof(float)) - 1; }

  TENON_INLINE friend Flags operator&(Flags a, Flags b) { return of(a.elements & b.elements); }
  TENON_INLINE friend Flags operator|(Flags a, Flags b) { return of(a.elements | b.elements); }
  TENON_INLINE friend Flags operator~(Flags a) { return of(~a.elements); }
};

#endif

}  // namespace tenon::internal::simd

#endif
