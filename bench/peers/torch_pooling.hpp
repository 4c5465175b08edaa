#pragma once

#include <functional>

#include "torch_found.hpp"

/// libtorch's pooling over external memory, in a separate file.
namespace torch_pooling {

using torch_peers::found;

/// Images with their channels before or behind height and width, and the windows.
struct Size {
  long images, channels, height, width;
  bool channels_last, is_mean;
  long window, stride, padding;
};

/// A function that pools `images` and writes the result to `result`. If `gradient` is not null, it
/// writes the gradient of the result's sum with respect to the images to `gradient` instead.
std::function<void()> step(Size const& size, float const* images, float* result, float* gradient);

}  // namespace torch_pooling
