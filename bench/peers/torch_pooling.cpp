#include "torch_pooling.hpp"

#include <torch/torch.h>

namespace torch_pooling {

namespace {

/// Memory of images, its axes in libtorch's order.
torch::Tensor over(float* data, Size const& n, long height, long width) {
  if (!n.channels_last) return torch::from_blob(data, {n.images, n.channels, height, width});
  return torch::from_blob(data, {n.images, height, width, n.channels}).permute({0, 3, 1, 2});
}

torch::Tensor pooled(torch::Tensor const& x, Size const& n) {
  if (n.is_mean) return torch::avg_pool2d(x, n.window, n.stride, n.padding);
  return torch::max_pool2d(x, n.window, n.stride, n.padding);
}

}  // namespace

std::function<void()> step(Size const& n, float const* images, float* result, float* gradient) {
  at::set_num_threads(1);
  auto const x = over(const_cast<float*>(images), n, n.height, n.width);
  auto const places = [&](long size) { return (size + 2 * n.padding - n.window) / n.stride + 1; };
  auto const out = over(result, n, places(n.height), places(n.width));
  if (gradient == nullptr)
    return [=] {
      torch::NoGradGuard const guard;
      out.copy_(pooled(x, n));
    };
  auto const images_gradient = over(gradient, n, n.height, n.width);
  auto const ones = torch::ones_like(out);
  return [=] {
    auto const leaf = x.detach().requires_grad_(true);
    pooled(leaf, n).backward(ones);
    images_gradient.copy_(leaf.grad());
  };
}

}  // namespace torch_pooling
