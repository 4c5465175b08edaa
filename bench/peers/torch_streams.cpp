#include "torch_streams.hpp"

#include <torch/torch.h>

namespace torch_streams {

std::function<float const*()> relu_of_sum(float const* a, float const* b, float const* c,
                                          std::int64_t n) {
  at::set_num_threads(1);
  auto const over = [n](float const* data) {
    return torch::from_blob(const_cast<float*>(data), {n}, torch::kFloat32);
  };
  return [x = over(a), y = over(b), z = over(c), result = torch::Tensor()]() mutable {
    torch::NoGradGuard const guard;
    result = torch::relu(x * y + z);
    return result.data_ptr<float>();
  };
}

}  // namespace torch_streams
