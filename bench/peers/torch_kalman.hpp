#pragma once

#include <functional>

#include "torch_found.hpp"

/// A step of a Kalman filter by libtorch: only `torch_kalman.cpp` includes its headers.
namespace torch_kalman {

/// The initial numbers, row-major: four states, two readings.
struct Numbers {
  double const *motion, *covariance, *drift, *mean, *read, *expected, *slope, *noise;
};

using torch_peers::found;

/// A function that makes a step and returns the address of its covariance.
std::function<double const*()> step(Numbers const&);

}  // namespace torch_kalman
