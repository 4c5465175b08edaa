#pragma once

#include <functional>

/// A step of a Kalman filter by libtorch: only `torch_kalman.cpp` includes its headers.
namespace torch_kalman {

/// The numbers that it starts from, row-major: four states, two readings.
struct Numbers {
  double const *motion, *covariance, *drift, *mean, *read, *expected, *slope, *noise;
};

#ifdef TENON_BENCH_TORCH
inline constexpr bool found = true;
#else
inline constexpr bool found = false;
#endif

/// Makes a step, and says where its covariance lies.
std::function<double const*()> step(Numbers const&);

}  // namespace torch_kalman
