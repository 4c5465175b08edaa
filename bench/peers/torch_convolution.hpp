#pragma once

#include <functional>

#include "torch_found.hpp"

/// libtorch's convolution over memory of others, in a file of its own.
namespace torch_convolution {

using torch_peers::found;

/// How many images, their channels, their height and width; the kernels are 3 x 3, as many as
/// there are channels.
struct Size {
  long images, channels, height, width;
};

/// Convolves `images`, padded by one, with `kernels` to `result`; and, where `slopes` is not null,
/// writes there the gradient of the result's sum of squares by the kernels.
std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, float* slopes);

}  // namespace torch_convolution
