#pragma once

#include <tenon/core/config.hpp>

#if !TENON_USES_XSIMD

/// The intrinsics of x86-64 that lanes use. `<immintrin.h>` declares those of every extension, and
/// takes 30 MB of g++ 12, a tenth of what it took for `tenon.hpp`. The headers that it includes,
/// one an extension, require that its guard is defined (g++ 12, clang 16); the guard is removed
/// again, so that a program may include all of `<immintrin.h>` before or after.
//
// g++ 12 warns of an uninitialised __Y inside its own avx512fintrin.h (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#if defined(__SSE4_1__)
#include <smmintrin.h>
#else
#include <emmintrin.h>
#endif

#if defined(__AVX__) && !defined(_IMMINTRIN_H_INCLUDED) && !defined(__IMMINTRIN_H)
#define _IMMINTRIN_H_INCLUDED  // g++
#define __IMMINTRIN_H          // clang
#include <avxintrin.h>
#if defined(__AVX2__)
#include <avx2intrin.h>
#endif
#if defined(__FMA__)
#include <fmaintrin.h>
#endif
#if defined(__F16C__)
#include <f16cintrin.h>
#endif
#if defined(__AVX512F__)
#include <avx512fintrin.h>
#endif
#if defined(__AVX512DQ__)
#include <avx512dqintrin.h>
#endif
#if defined(__AMX_BF16__) && defined(__clang__)
#include <amxintrin.h>
#elif defined(__AMX_BF16__)
#include <amxbf16intrin.h>
#include <amxtileintrin.h>
#endif
#undef _IMMINTRIN_H_INCLUDED
#undef __IMMINTRIN_H
#endif
#pragma GCC diagnostic pop

#endif
