#pragma once

#include <tenon/core/config.hpp>

#if TENON_USES_XSIMD

#if defined(__has_include) && !__has_include(<xsimd/xsimd.hpp>)
#error "tenon: expected xsimd 8.1 to 14 for the registers of this processor (Debian: libxsimd-dev)"
#endif

#include <bit>
#include <string_view>

// g++ 12 warns of an uninitialised __Y inside its own avx512fintrin.h (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop

/// The only file that uses xsimd, 8.1 to 14.
namespace tenon::internal {

/// One count for all dtypes, so that a loop may mix them: as many as there are floats in a
/// register.
inline constexpr int lane_count = static_cast<int>(xsimd::batch<float>::size);

/// The target of the compilation, as named by xsimd: `sse2`, `fma3+avx2`, `avx512bw` ...
inline constexpr std::string_view instruction_set = xsimd::default_arch::name();

}  // namespace tenon::internal

namespace tenon {

using internal::instruction_set;

}  // namespace tenon

namespace tenon::internal::simd {

#if defined(TENON_SIMD)
/// -DTENON_SIMD with another value than xsimd does not compile.
namespace expected_xsimd = ::TENON_SIMD;
#endif

template <class T>
using Batch = xsimd::batch<T>;
template <class T>
using Flags = xsimd::batch_bool<T>;

template <class T>
inline constexpr int width = static_cast<int>(Batch<T>::size);

using xsimd::all;
using xsimd::any;
using xsimd::floor;
using xsimd::fma;
using xsimd::max;
using xsimd::min;
using xsimd::nearbyint;
using xsimd::select;
using xsimd::sqrt;
using xsimd::to_float;
using xsimd::to_int;

/// The same bits as elements of type `To`; no instruction.
template <class To, class From>
TENON_INLINE inline Batch<To> bits_as(Batch<From> x) {
#if XSIMD_VERSION_MAJOR < 11
  return xsimd::bitwise_cast<Batch<To>>(x);
#else
  return xsimd::bitwise_cast<To>(x);
#endif
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
