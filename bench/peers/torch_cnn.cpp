#include "torch_cnn.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <vector>

namespace torch_cnn {

struct Step::Network {
  torch::Tensor images, labels;
  std::vector<torch::Tensor> leaves;

  torch::Tensor loss() const {
    auto const& p = leaves;
    auto const x = torch::conv2d(images, p[0], {}, 1, 1);
    auto const normalized = torch::batch_norm(x, p[1], p[2], {}, {}, true, 0.1, 1e-5, false);
    auto const y = torch::max_pool2d(torch::relu(normalized), 2);
    auto const z = torch::max_pool2d(torch::relu(torch::conv2d(y, p[3], p[4], 1, 1)), 2);
    return torch::cross_entropy_loss(z.flatten(1).matmul(p[5]) + p[6], labels);
  }
};

Step::Step(float const* images, std::int32_t const* labels, float const* leaves)
    : network_(std::make_shared<Network>()) {
  at::set_num_threads(1);
  auto const copied = [](float const* from, std::vector<std::int64_t> const& sizes) {
    return torch::from_blob(const_cast<float*>(from), sizes).clone();
  };
  network_->images = copied(images, {64, 1, 28, 28});
  network_->labels =
      torch::from_blob(const_cast<std::int32_t*>(labels), {64}, torch::kInt32).to(torch::kInt64);
  for (std::vector<std::int64_t> const& sizes :
       {std::vector<std::int64_t>{8, 1, 3, 3}, {8}, {8}, {16, 8, 3, 3}, {16}, {784, 10}, {10}}) {
    network_->leaves.push_back(copied(leaves, sizes).requires_grad_(true));
    leaves += network_->leaves.back().numel();
  }
}

void Step::forward() const {
  torch::NoGradGuard const none;
  network_->loss();
}

void Step::step(float* gradients) const {
  for (torch::Tensor& leaf : network_->leaves) leaf.mutable_grad() = at::Tensor();
  network_->loss().backward();
  for (torch::Tensor const& leaf : network_->leaves)
    gradients = std::copy_n(leaf.grad().data_ptr<float>(), leaf.numel(), gradients);
}

}  // namespace torch_cnn
