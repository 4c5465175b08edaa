#pragma once

#include <cmath>

#include <tenon/tenon.hpp>

namespace optim_test {

/// The formula of `torch.optim.AdamW` in PyTorch's documentation, for one number.
struct OneNumber {
  double parameter, mean = 0, mean_square = 0;

  void step(tenon::AdamW const& adam, double rate, double gradient, bool decays, int t) {
    if (decays) parameter -= rate * adam.weight_decay * parameter;
    mean = adam.beta1 * mean + (1 - adam.beta1) * gradient;
    mean_square = adam.beta2 * mean_square + (1 - adam.beta2) * gradient * gradient;
    double const unbiased = mean / (1 - std::pow(adam.beta1, t));
    double const unbiased_square = mean_square / (1 - std::pow(adam.beta2, t));
    parameter -= rate * unbiased / (std::sqrt(unbiased_square) + adam.epsilon);
  }
};

}  // namespace optim_test
