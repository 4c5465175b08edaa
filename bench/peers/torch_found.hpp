#pragma once

/// Did CMake find libtorch? Each of its peers has a file of its own that includes its headers.
namespace torch_peers {

#ifdef TENON_BENCH_TORCH
inline constexpr bool found = true;
#else
inline constexpr bool found = false;
#endif

}  // namespace torch_peers
