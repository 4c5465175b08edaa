#include "torch_optimizers.hpp"

#include <ATen/ops/_fused_adamw.h>
#include <torch/torch.h>

namespace torch_optimizers {

struct AdamW::Leaves {
  std::vector<at::Tensor> parameters, gradients, means, mean_squares, steps;
};

AdamW::AdamW(std::vector<std::int64_t> const& sizes, float const* parameters,
             float const* gradients)
    : leaves_(std::make_shared<Leaves>()) {
  at::set_num_threads(1);
  auto const taken = [](float const*& from, std::int64_t size) {
    float* const begin = const_cast<float*>(from);
    from += size;
    return torch::from_blob(begin, {size}).clone();
  };
  for (std::int64_t const size : sizes) {
    leaves_->parameters.push_back(taken(parameters, size));
    leaves_->gradients.push_back(taken(gradients, size));
    leaves_->means.push_back(torch::zeros({size}));
    leaves_->mean_squares.push_back(torch::zeros({size}));
    leaves_->steps.push_back(torch::zeros({}));
  }
}

void AdamW::step() const {
  torch::NoGradGuard const none;
  Leaves& of = *leaves_;
  at::_foreach_add_(of.steps, 1);
  at::_fused_adamw_(of.parameters, of.gradients, of.means, of.mean_squares, {}, of.steps, 1e-3, 0.9,
                    0.999, 0, 1e-8, false, false);
}

std::vector<float> AdamW::elements() const {
  std::vector<float> all;
  for (at::Tensor const& x : leaves_->parameters)
    all.insert(all.end(), x.data_ptr<float>(), x.data_ptr<float>() + x.numel());
  return all;
}

}  // namespace torch_optimizers
