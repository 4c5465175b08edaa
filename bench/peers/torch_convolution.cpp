#include "torch_convolution.hpp"

#include <torch/torch.h>

namespace torch_convolution {

namespace {

/// External memory of four axes; `last`: the second is the last in memory.
torch::Tensor over(float const* data, std::vector<std::int64_t> const& sizes, bool last) {
  std::vector<std::int64_t> strides{sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3],
                                    1};
  if (last) strides = {strides[0], 1, sizes[3] * sizes[1], sizes[1]};
  return torch::from_blob(const_cast<float*>(data), sizes, strides, torch::kFloat32);
}

/// The kernels, of which there is one for each channel and of one plane each if they are last.
torch::Tensor kernels_over(float const* data, Size const& size) {
  if (size.last)
    return over(data, {1, size.outputs, size.kernel, size.kernel}, true).transpose(0, 1);
  return over(data, {size.outputs, size.channels / size.groups, size.kernel, size.kernel}, false);
}

torch::Tensor copy(torch::Tensor const& x, bool last) {
  return x.clone(last ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous);
}

torch::Tensor convolve(Size const& size, torch::Tensor const& x, torch::Tensor const& w) {
  return torch::conv2d(x, w, {}, size.stride, size.padding, 1, size.groups);
}

/// The result in external memory.
torch::Tensor result_over(float* data, Size const& size) {
  auto const places = [&](long all) {
    return (all + 2 * size.padding - size.kernel) / size.stride + 1;
  };
  return over(data, {size.images, size.outputs, places(size.height), places(size.width)},
              size.last);
}

}  // namespace

std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, Gradients const& gradients) {
  at::set_num_threads(1);
  std::vector<std::int64_t> const sizes{size.images, size.channels, size.height, size.width};
  auto const x = copy(over(images, sizes, size.last), size.last);
  auto const w = copy(kernels_over(kernels, size), size.last);
  if (gradients.kernels == nullptr)
    return [=, out = result_over(result, size)] {
      torch::NoGradGuard const guard;
      out.copy_(convolve(size, x, w));
    };
  bool const both = gradients.images != nullptr;
  return [=] {
    auto const leaf = w.detach().requires_grad_(true), input = x.detach().requires_grad_(both);
    convolve(size, input, leaf).square().sum().backward();
    kernels_over(gradients.kernels, size).copy_(leaf.grad());
    if (both) over(gradients.images, sizes, size.last).copy_(input.grad());
  };
}

}  // namespace torch_convolution
