#include "torch_recurrent.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <vector>

namespace torch_recurrent {

struct Layer::Own {
  int gates;
  torch::Tensor x, start;
  std::vector<torch::Tensor> leaves;

  torch::Tensor loss() const {
    auto const y =
        gates == 4
            ? std::get<0>(torch::lstm(x, {start, start}, leaves, true, 1, 0, true, false, false))
            : std::get<0>(torch::gru(x, start, leaves, true, 1, 0, true, false, false));
    return y.square().sum();
  }
};

Layer::Layer(int gates, Sizes const& n, Numbers const& from) : own_(std::make_shared<Own>()) {
  at::set_num_threads(1);
  auto const taken = [](float const* at, std::vector<std::int64_t> const& sizes) {
    return torch::from_blob(const_cast<float*>(at), sizes);
  };
  std::int64_t const all = gates * n.hidden;
  own_->gates = gates;
  own_->x = taken(from.x, {n.steps, n.batch, n.in}).clone();
  own_->start = torch::zeros({1, n.batch, n.hidden});
  own_->leaves = {taken(from.weight_ih, {n.in, all}).t().contiguous(),
                  taken(from.weight_hh, {n.hidden, all}).t().contiguous(),
                  taken(from.bias_ih, {all}).clone(), taken(from.bias_hh, {all}).clone()};
  for (torch::Tensor& leaf : own_->leaves) leaf.requires_grad_(true);
}

float Layer::forward() const {
  torch::NoGradGuard const none;
  return own_->loss().item<float>();
}

void Layer::backward(float* gradient) const {
  for (torch::Tensor& leaf : own_->leaves) leaf.mutable_grad() = at::Tensor();
  own_->loss().backward();
  auto const of_hidden = own_->leaves[1].grad().t().contiguous();
  std::copy_n(of_hidden.data_ptr<float>(), of_hidden.numel(), gradient);
}

}  // namespace torch_recurrent
