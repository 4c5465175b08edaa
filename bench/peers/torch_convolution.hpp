#pragma once

#include <functional>

#include "torch_found.hpp"

/// libtorch's convolution over external memory, in a separate file.
namespace torch_convolution {

using torch_peers::found;

/// The number of images, their channels, height and width, the number of outputs, and the length of
/// the square kernels. `groups`: 1, or as many as there are channels. `last`: whether channels are
/// the last axis of the images, not of the kernels. `transposed`: whether the convolution is, and
/// the kernels of one channel are those of all outputs.
struct Size {
  long images, channels, height, width, outputs, kernel;
  long stride = 1, padding = 1, groups = 1;
  bool last = false, transposed = false;
};

/// Gradients with respect to the images and the kernels, where not null.
struct Gradients {
  float *images = nullptr, *kernels = nullptr;
};

/// A function that convolves `images` with `kernels`, or, if there are gradients, computes those of
/// the result's sum of squares. `step` writes to `result`, or to the gradients, once.
std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, Gradients const& gradients);

}  // namespace torch_convolution
