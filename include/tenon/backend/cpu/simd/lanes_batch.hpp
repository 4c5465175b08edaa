#pragma once

#include <tenon/backend/cpu/simd/lanes_native.hpp>
#include <tenon/core/config.hpp>

#if !TENON_USES_XSIMD

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

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

/// A register of elements.
template <class T>
struct Batch {
  using Vector = typename VectorOf<T>::type;
  using Words = typename VectorOf<WordOf<T>>::type;
  using Native = NativeRegister<T>;
  using register_type = typename Native::type;
  static constexpr std::size_t size = native_bytes / sizeof(T);

  Vector all;

  Batch() = default;
  TENON_INLINE Batch(T value) : Batch(value, std::make_index_sequence<size>()) {}
  TENON_INLINE explicit Batch(register_type r) : all(std::bit_cast<Vector>(r)) {}
  TENON_INLINE operator register_type() const { return std::bit_cast<register_type>(all); }

  TENON_INLINE static Batch of(Vector all) {
    Batch x;
    x.all = all;
    return x;
  }
  TENON_INLINE static Batch of_words(Words words) { return of(std::bit_cast<Vector>(words)); }
  TENON_INLINE Words words() const { return std::bit_cast<Words>(all); }

  TENON_INLINE static Batch load_unaligned(T const* from) {
    Batch x;
    std::memcpy(&x.all, from, sizeof x.all);
    return x;
  }
  TENON_INLINE void store_unaligned(T* to) const { std::memcpy(to, &all, sizeof all); }
  TENON_INLINE T get(std::size_t i) const { return all[i]; }

  TENON_INLINE friend Batch operator+(Batch a, Batch b) {
    if constexpr (std::integral<T>) return of_words(a.words() + b.words());
    else return of(a.all + b.all);
  }
  TENON_INLINE friend Batch operator-(Batch a, Batch b) {
    if constexpr (std::integral<T>) return of_words(a.words() - b.words());
    else return of(a.all - b.all);
  }
  TENON_INLINE friend Batch operator*(Batch a, Batch b) {
    if constexpr (std::integral<T>) return of_words(a.words() * b.words());
    else return of(a.all * b.all);
  }
  TENON_INLINE friend Batch operator/(Batch a, Batch b) { return of(a.all / b.all); }
  TENON_INLINE friend Batch operator&(Batch a, Batch b) { return of_words(a.words() & b.words()); }
  TENON_INLINE friend Batch operator|(Batch a, Batch b) { return of_words(a.words() | b.words()); }
  TENON_INLINE friend Batch operator^(Batch a, Batch b) { return of_words(a.words() ^ b.words()); }
  TENON_INLINE friend Batch operator~(Batch a) { return of_words(~a.words()); }
  TENON_INLINE friend Batch operator<<(Batch a, int n) {
    return of_words(a.words() << static_cast<WordOf<T>>(n));
  }
  TENON_INLINE friend Batch operator>>(Batch a, int n) { return of(a.all >> static_cast<T>(n)); }
  TENON_INLINE Batch& operator+=(Batch b) { return *this = *this + b; }

  TENON_INLINE friend Flags<T> operator<(Batch a, Batch b) {
    if constexpr (requires { Native::less(a, b); }) return Flags<T>(Native::less(a, b));
    else return Flags<T>::of(a.all < b.all);
  }
  TENON_INLINE friend Flags<T> operator<=(Batch a, Batch b) {
    if constexpr (requires { Native::at_most(a, b); }) return Flags<T>(Native::at_most(a, b));
    else return Flags<T>::of(a.all <= b.all);
  }
  TENON_INLINE friend Flags<T> operator==(Batch a, Batch b) {
    if constexpr (requires { Native::equal(a, b); }) return Flags<T>(Native::equal(a, b));
    else return Flags<T>::of(a.all == b.all);
  }

 private:
  template <std::size_t... i>
  TENON_INLINE Batch(T value, std::index_sequence<i...>) : all{(static_cast<void>(i), value)...} {}
};

template <class T>
inline constexpr int width = static_cast<int>(Batch<T>::size);

template <class T>
TENON_INLINE inline Batch<T> select(Flags<T> flags, Batch<T> yes, Batch<T> no) {
#if defined(__AVX512F__)
  __m512i const a = std::bit_cast<__m512i>(no.all), b = std::bit_cast<__m512i>(yes.all);
  auto const mask = static_cast<__mmask16>(flags.bits);
  using Vector = typename Batch<T>::Vector;
  if constexpr (sizeof(T) == 4)
    return Batch<T>::of(std::bit_cast<Vector>(_mm512_mask_blend_epi32(mask, a, b)));
  else
    return Batch<T>::of(
        std::bit_cast<Vector>(_mm512_mask_blend_epi64(static_cast<__mmask8>(mask), a, b)));
#else
  return Batch<T>::of(flags.elements ? yes.all : no.all);
#endif
}
template <class T>
TENON_INLINE inline bool any(Flags<T> flags) {
  return flags.any();
}
template <class T>
TENON_INLINE inline bool all(Flags<T> flags) {
  return flags.all();
}

template <class T>
TENON_INLINE inline Batch<T> fma(Batch<T> x, Batch<T> y, Batch<T> z) {
  return x * y + z;
}
/// For NaN, and for zeros of any sign, the result is the second operand.
template <class T>
TENON_INLINE inline Batch<T>(min)(Batch<T> a, Batch<T> b) {
  return Batch<T>((NativeRegister<T>::min)(a, b));
}
template <class T>
TENON_INLINE inline Batch<T>(max)(Batch<T> a, Batch<T> b) {
  return Batch<T>((NativeRegister<T>::max)(a, b));
}
template <class T>
TENON_INLINE inline Batch<T> sqrt(Batch<T> x) {
  return Batch<T>(NativeRegister<T>::sqrt(x));
}

/// Rounds to nearest even. (Before SSE4.1 by adding a number without fraction bits.)
template <class T>
TENON_INLINE inline Batch<T> nearbyint(Batch<T> x) {
  if constexpr (requires { NativeRegister<T>::nearbyint(x); }) {
    return Batch<T>(NativeRegister<T>::nearbyint(x));
  } else {
    Batch<T> const sign = x & Batch<T>(T(-0.0)), size = x ^ sign;
    Batch<T> const whole = T(1) / std::numeric_limits<T>::epsilon();
    return sign ^ select(size < whole, (size + whole) - whole, size);
  }
}
template <class T>
TENON_INLINE inline Batch<T> floor(Batch<T> x) {
  if constexpr (requires { NativeRegister<T>::floor(x); }) {
    return Batch<T>(NativeRegister<T>::floor(x));
  } else {
    Batch<T> const nearest = nearbyint(x);
    return select(x < nearest, nearest - Batch<T>(T(1)), nearest);
  }
}

TENON_INLINE inline Batch<std::int32_t> to_int(Batch<float> x) {
  return Batch<std::int32_t>(NativeRegister<float>::to_int(x));
}
TENON_INLINE inline Batch<float> to_float(Batch<std::int32_t> x) {
  return Batch<float>(NativeRegister<float>::to_float(x));
}

/// The same bits as elements of type `To`; no instruction.
template <class To, class From>
TENON_INLINE inline Batch<To> bits_as(Batch<From> x) {
  return Batch<To>::of(std::bit_cast<typename Batch<To>::Vector>(x.all));
}

/// The flags of one dtype as those of another of the same width; no instruction.
template <class To, class From>
TENON_INLINE inline Flags<To> recast(Flags<From> flags) {
  using Register = typename Flags<To>::register_type;
  return Flags<To>(
      std::bit_cast<Register>(static_cast<typename Flags<From>::register_type>(flags)));
}

}  // namespace tenon::internal::simd

#endif
