#pragma once

#include <tenon/core/config.hpp>

/// Objects that are compiled for different instruction sets do not link. The linker keeps one of
/// two equal inline functions, so a program of both could run AVX-512 on a machine without it.
/// Every object defines a variable named after its instruction set, which the linker merges, and a
/// strong alias of it, which is a duplicate symbol if there are two instruction sets. All names are
/// hidden: shared libraries of one program may differ (docs/portable.md). For ELF only. The same
/// for objects with registers by intrinsics and by xsimd, whose types differ.
#if defined(__ELF__) && !defined(__CUDACC__)
extern "C" {

[[gnu::used, gnu::visibility("hidden")]] inline constexpr char
#if defined(__AMX_BF16__)
    tenon_compiled_for_avx512_amx
#elif defined(__AVX512BF16__)
    tenon_compiled_for_avx512_bf16
#elif defined(__AVX512DQ__)
    tenon_compiled_for_avx512_dq
#elif defined(__AVX512F__)
    tenon_compiled_for_avx512
#elif defined(__AVX2__) && defined(__FMA__)
    tenon_compiled_for_avx2_fma
#elif defined(__AVX2__)
    tenon_compiled_for_avx2
#elif defined(__AVX__)
    tenon_compiled_for_avx
#elif defined(__SSE4_1__)
    tenon_compiled_for_sse4
#elif defined(__SSE2__)
    tenon_compiled_for_sse2
#elif defined(__ARM_FEATURE_SVE)
    tenon_compiled_for_sve
#else
    tenon_compiled_for_base
#endif
    = 0;

// NOLINTNEXTLINE(misc-definitions-in-headers): the linker is to find it twice.
extern char const tenon_objects_are_compiled_for_different_instruction_sets
    [[gnu::visibility("hidden")]] [[gnu::alias(
#if defined(__AMX_BF16__)
        "tenon_compiled_for_avx512_amx"
#elif defined(__AVX512BF16__)
        "tenon_compiled_for_avx512_bf16"
#elif defined(__AVX512DQ__)
        "tenon_compiled_for_avx512_dq"
#elif defined(__AVX512F__)
        "tenon_compiled_for_avx512"
#elif defined(__AVX2__) && defined(__FMA__)
        "tenon_compiled_for_avx2_fma"
#elif defined(__AVX2__)
        "tenon_compiled_for_avx2"
#elif defined(__AVX__)
        "tenon_compiled_for_avx"
#elif defined(__SSE4_1__)
        "tenon_compiled_for_sse4"
#elif defined(__SSE2__)
        "tenon_compiled_for_sse2"
#elif defined(__ARM_FEATURE_SVE)
        "tenon_compiled_for_sve"
#else
        "tenon_compiled_for_base"
#endif
        )]];

[[gnu::used, gnu::visibility("hidden")]] inline constexpr char
#if TENON_USES_XSIMD
    tenon_compiled_with_xsimd
#else
    tenon_compiled_with_intrinsics
#endif
    = 0;

// NOLINTNEXTLINE(misc-definitions-in-headers): the same.
extern char const tenon_objects_are_compiled_with_and_without_xsimd
    [[gnu::visibility("hidden")]] [[gnu::alias(
#if TENON_USES_XSIMD
        "tenon_compiled_with_xsimd"
#else
        "tenon_compiled_with_intrinsics"
#endif
        )]];

}  // extern "C"
#endif
