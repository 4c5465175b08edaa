#pragma once

#include <functional>

#include "torch_found.hpp"

/// libtorch's convolution over external memory, in a separate file.
namespace torch_convolution {

using torch_peers::found;

/// The number of images, their channels, height and width, the number of outputs, and the length of
/// the square kernels. `groups`: 1, or as many as there are channels. `last`: whether channels are
/// the last axis of the images, and kernels the last one of the kernels.
struct Size {
  long images, channels, height, width, outputs, kernel;
  long stride = 1, padding = 1, groups = 1;
  bool last = false;
};

/// Gradients with respect to the images and the kernels, where not null.
struct Gradients {
  float *images = nullptr, *kernels = nullptr;
};

/// A function that convolves `images` with `kernels` and writes the result to `result`. If there
/// are gradients, it writes those of the result's sum of squares to them instead.
std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, Gradients const& gradients);

}  // namespace torch_convolution
