#pragma once

#include <tenon/backend/cpu/simd/instruction_level.hpp>
#include <tenon/backend/cpu/simd/lanes_batch.hpp>
#include <tenon/backend/cpu/simd/lanes_xsimd.hpp>

/// Registers of lanes: on x86-64 vector extensions of g++ and clang for the target; elsewhere
/// xsimd, which takes longer to compile.
#if !TENON_USES_XSIMD

namespace tenon::internal {

/// One count for all dtypes, so that a loop may mix them: as many as there are floats in a
/// register.
inline constexpr int lane_count = static_cast<int>(simd::native_bytes / sizeof(float));

/// The target of the compilation: `sse2`, `sse4`, `avx2`, `fma3+avx2`, `avx512f` to `avx512bw`.
inline constexpr std::string_view instruction_set = simd::native_name;

}  // namespace tenon::internal

namespace tenon {

using internal::instruction_set;

}  // namespace tenon

#endif
