#pragma once

#include <tenon/backend/cpu/depthwise/channels.hpp>
#include <tenon/backend/cpu/depthwise/channels_weight.hpp>
#include <tenon/backend/cpu/depthwise/depthwise.hpp>
#include <tenon/backend/cpu/depthwise/planes.hpp>
#include <tenon/backend/cpu/depthwise/planes_weight.hpp>

namespace tenon::internal {

template <class T>
void CpuDepthwise<T>::convolve(DepthwiseNumbers const& numbers, T const* x, T const* weight, T* y) {
  if (numbers.channels_last) DepthwiseChannels<T>(numbers, false).run(x, weight, y);
  else DepthwisePlanes<T>(numbers, false).run(x, weight, y);
}
template <class T>
void CpuDepthwise<T>::operand_adjoint(DepthwiseNumbers const& numbers, T const* dy, T const* weight,
                                      T* dx) {
  if (numbers.channels_last) DepthwiseChannels<T>(numbers, true).run(dy, weight, dx);
  else DepthwisePlanes<T>(numbers, true).run(dy, weight, dx);
}
template <class T>
void CpuDepthwise<T>::weight_adjoint(DepthwiseNumbers const& numbers, T const* x, T const* dy,
                                     T* dweight) {
  if (numbers.channels_last) DepthwiseChannelsWeight<T>(numbers).run(x, dy, dweight);
  else DepthwisePlanesWeight<T>(numbers).run(x, dy, dweight);
}

#if defined(TENON_IMPLEMENTATION)
template struct CpuDepthwise<float>;
template struct CpuDepthwise<double>;
#endif

}  // namespace tenon::internal
