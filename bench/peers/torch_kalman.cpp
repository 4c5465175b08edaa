#include "torch_kalman.hpp"

#include <torch/torch.h>

namespace torch_kalman {

torch::Tensor matrix(double const* from, std::int64_t rows, std::int64_t columns) {
  return torch::from_blob(const_cast<double*>(from), {rows, columns}, torch::kFloat64).clone();
}

std::function<double const*()> step(Numbers const& x) {
  torch::set_num_threads(1);
  auto const motion = matrix(x.motion, 4, 4), drift = matrix(x.drift, 4, 4);
  auto const read = matrix(x.read, 2, 1), expected = matrix(x.expected, 2, 1);
  auto const slope = matrix(x.slope, 2, 4), noise = matrix(x.noise, 2, 2);
  auto mean = matrix(x.mean, 4, 1), covariance = matrix(x.covariance, 4, 4);
  return [=]() mutable {
    torch::NoGradGuard const no_gradient;
    auto const before = motion.matmul(covariance).matmul(motion.t()) + drift;
    auto const seen = slope.matmul(before);
    auto const gain = torch::linalg_solve(seen.matmul(slope.t()) + noise, seen);
    mean = motion.matmul(mean) + gain.t().matmul(read - expected);
    covariance = before - gain.t().matmul(seen);
    return covariance.data_ptr<double>();
  };
}

}  // namespace torch_kalman
