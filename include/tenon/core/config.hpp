#pragma once

// After each error, a missing file ends the compilation: nothing else is reported.
#if defined(TENON_COMMIT)  // of a single header
#error "tenon: <tenon/...> after a single header: include single headers, or those of the folder"
#include <either_single_headers_or_the_folder>
#endif

/// The version as a number: 1.2.3 is 10203.
#define TENON_VERSION 100

#if defined(_MSC_VER) && !defined(__clang__)
#error "tenon: expected clang-cl, clang or g++, got the compiler of MSVC"
#include <another_compiler>
#endif

#if __cplusplus < 202002L
#error "tenon: C++20 is needed (-std=c++20)"
#include <cpp20>
#endif

#if !defined(__cpp_exceptions)
#error \
    "tenon: expected exceptions, got -fno-exceptions: bad sizes, indices and files are reported by them"
#include <exceptions>
#endif

// The front end of nvcc (13.0) does not deduce the spec of a tensor from its type.
#if defined(__CUDACC__) && !defined(__clang__)
#error \
    "tenon: nvcc cannot compile Tenon: include it in a .cpp file, or compile the .cu file by clang++"
#include <another_compiler>
#endif

// (-funsafe-math-optimizations alone defines __ASSOCIATIVE_MATH__ in g++, and no macro in clang.)
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__)
#error "tenon: -ffast-math would break NaN, infinity and equal bits on every run; remove it"
#include <no_fast_math>
#endif

/// The CPU's registers are used by intrinsics of SSE2, AVX2 and AVX-512, and by xsimd for any other
/// processor. With -DTENON_SIMD=xsimd they are used by xsimd everywhere.
#if !defined(TENON_SIMD) && \
    (defined(__AVX512F__) || defined(__AVX2__) || (defined(__SSE2__) && !defined(__AVX__)))
#define TENON_USES_XSIMD 0
#else
#define TENON_USES_XSIMD 1
#endif

/// For the functions that loops and expressions consist of: always inlined with optimisation, never
/// forced without it, where a call is faster to compile than a copy of the body.
#if defined(__OPTIMIZE__)
#define TENON_INLINE [[gnu::always_inline]]
#else
#define TENON_INLINE
#endif

/// The runtime consists of the functions that are not templates; they are defined at the end of the
/// headers that declare them, or in files *.ipp, which these include there. By default they are
/// inline. With TENON_COMPILED headers only declare them, and one file of the program defines them,
/// as CMake's target tenon::compiled does:
///
///     #define TENON_IMPLEMENTATION
///     #include <tenon/compiled.hpp>
#if defined(TENON_IMPLEMENTATION) || !defined(TENON_COMPILED)
#define TENON_DEFINES_RUNTIME 1
#else
#define TENON_DEFINES_RUNTIME 0
#endif

#if defined(TENON_IMPLEMENTATION) || defined(TENON_COMPILED)
#define TENON_RUNTIME
#else
#define TENON_RUNTIME inline
#endif
