#include "torch_convolution.hpp"

#include <array>

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

torch::Tensor kernels_over(float const* data, Size const& size) {
  long const inputs = size.channels / size.groups;
  if (size.transposed) return over(data, {inputs, size.outputs, size.kernel, size.kernel}, false);
  return over(data, {size.outputs, inputs, size.kernel, size.kernel}, false);
}

torch::Tensor copy(torch::Tensor const& x, bool last) {
  return x.clone(last ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous);
}

torch::Tensor convolve(Size const& size, torch::Tensor const& x, torch::Tensor const& w) {
  if (size.transposed) return torch::conv_transpose2d(x, w, {}, size.stride, size.padding);
  return torch::conv2d(x, w, {}, size.stride, size.padding, 1, size.groups);
}

/// The gradients of the images (undefined unless they are wanted) and of the kernels.
std::array<torch::Tensor, 2> differentiate(Size const& size, torch::Tensor const& x,
                                           torch::Tensor const& w, bool of_images) {
  auto const images = x.detach().requires_grad_(of_images);
  auto const kernels = w.detach().requires_grad_(true);
  convolve(size, images, kernels).square().sum().backward();
  return {images.grad(), kernels.grad()};
}

}  // namespace

std::function<void()> step(Size const& size, float const* images, float const* kernels,
                           float* result, Gradients const& gradients) {
  at::set_num_threads(1);
  std::vector<std::int64_t> const sizes{size.images, size.channels, size.height, size.width};
  auto const x = copy(over(images, sizes, size.last), size.last);
  auto const w = copy(kernels_over(kernels, size), size.last);
  if (gradients.kernels == nullptr) {
    auto const y = convolve(size, x, w);
    over(result, y.sizes().vec(), size.last).copy_(y);
    return [=] {
      torch::NoGradGuard const guard;
      convolve(size, x, w);
    };
  }
  bool const of_images = gradients.images != nullptr;
  auto const [of_x, of_w] = differentiate(size, x, w, of_images);
  kernels_over(gradients.kernels, size).copy_(of_w);
  if (of_images) over(gradients.images, sizes, size.last).copy_(of_x);
  return [=] { differentiate(size, x, w, of_images); };
}

}  // namespace torch_convolution
