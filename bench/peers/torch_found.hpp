#pragma once

/// Whether CMake found libtorch. Each comparison with it has a separate file that includes its
/// headers.
namespace torch_peers {

#ifdef TENON_BENCH_TORCH
inline constexpr bool found = true;
#else
inline constexpr bool found = false;
#endif

}  // namespace torch_peers
