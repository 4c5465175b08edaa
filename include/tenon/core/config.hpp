#pragma once

#if defined(TENON_COMMIT)  // of a single header; the missing file ends the compilation
#error "tenon: <tenon/...> after a single header: include single headers, or those of the folder"
#include <either_single_headers_or_the_folder>
#endif

/// The version as a number: 1.2.3 is 10203.
#define TENON_VERSION 100

#if __cplusplus < 202002L
#error "tenon: C++20 is needed (-std=c++20)"
#endif

#if defined(__FAST_MATH__)
#error "tenon: -ffast-math would break NaN, infinity and equal bits on every run; remove it"
#endif

/// For the functions that loops and expressions consist of: always inlined with optimisation, never
/// forced without it, where a call is faster to compile than a copy of the body.
#if defined(__OPTIMIZE__)
#define TENON_INLINE [[gnu::always_inline]]
#else
#define TENON_INLINE
#endif

/// The runtime consists of the functions that are not templates; they are defined in files *.ipp,
/// which the headers that declare them include last. By default they are inline. With
/// TENON_COMPILED headers only declare them, and one file of the program defines them, as CMake's
/// target tenon::compiled does:
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
