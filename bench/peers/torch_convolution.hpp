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

/// Convolves `images`, padded by one, with `kernels` to `result`; and, if `slopes` is not null,
/// writes to it the gradient of the result's sum of squares with respect to the kernels.
std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, float* slopes);

}  // namespace torch_convolution
