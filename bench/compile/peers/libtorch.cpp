#include <torch/torch.h>

torch::Tensor f(torch::Tensor const& a, torch::Tensor const& b) { return torch::relu(a * b + 1); }
