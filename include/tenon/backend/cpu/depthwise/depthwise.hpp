#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/depthwise.hpp>

namespace tenon::internal {

/// Depthwise convolutions on the CPU, and their adjoints. The operand is not padded in memory:
/// planes are copied into the cache with zeros around; with channels last, windows are cut off.
/// Kernels are of finite numbers.
template <class T>
struct CpuDepthwise {
  static void convolve(DepthwiseNumbers const& numbers, T const* x, T const* weight, T* y);
  static void operand_adjoint(DepthwiseNumbers const& numbers, T const* dy, T const* weight, T* dx);
  static void weight_adjoint(DepthwiseNumbers const& numbers, T const* x, T const* dy, T* dweight);
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/cpu/depthwise/depthwise.ipp>
#endif
