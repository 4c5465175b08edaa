#pragma once

#include <functional>

#include "torch_found.hpp"

/// libtorch's convolution over external memory, in a separate file.
namespace torch_convolution {

using torch_peers::found;

/// The number of images, their channels, height and width; the kernels are 3 x 3, with as many
/// outputs as there are channels.
struct Size {
  long images, channels, height, width;
};

/// A function that convolves `images`, padded by one, with `kernels` and writes the result to
/// `result`. If `gradient` is not null, it writes the gradient of the result's sum of squares with
/// respect to the kernels to `gradient` instead.
std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, float* gradient);

}  // namespace torch_convolution
