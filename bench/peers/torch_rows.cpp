#include "torch_rows.hpp"

#include <torch/torch.h>

namespace torch_rows {

namespace {

at::Tensor matrix(float const* from, Numbers const& n) {
  at::set_num_threads(1);
  return torch::from_blob(const_cast<float*>(from), {n.rows, n.width});
}

/// A function with a result that is copied out once, after the first call.
template <class F>
Work forward(Numbers const& n, F const& f) {
  return [x = matrix(n.x, n), out = n.out, f, is_out = false]() mutable {
    torch::NoGradGuard const none;
    auto const y = f(x);
    if (!is_out) std::copy_n(y.template data_ptr<float>(), y.numel(), out);
    is_out = true;
  };
}

/// The same with the gradient of a scalar.
template <class F>
Work with_gradient(Numbers const& n, F const& f) {
  return [leaf = matrix(n.x, n).clone().requires_grad_(true), out = n.out, f,
          is_out = false]() mutable {
    leaf.mutable_grad() = at::Tensor();
    f(leaf).backward();
    if (!is_out) std::copy_n(leaf.grad().template data_ptr<float>(), leaf.numel(), out);
    is_out = true;
  };
}

}  // namespace

Work sum(Numbers const& n) {
  return forward(n, [](at::Tensor const& x) { return x.sum(1); });
}
Work max(Numbers const& n) {
  return forward(n, [](at::Tensor const& x) { return x.amax(1); });
}
Work add(Numbers const& n, float const* row) {
  auto const b = torch::from_blob(const_cast<float*>(row), {n.width}, torch::kFloat32);
  return forward(n, [b](at::Tensor const& x) { return x + b; });
}
Work softmax(Numbers const& n) {
  return forward(n, [](at::Tensor const& x) { return torch::softmax(x, 1); });
}
Work log_sum_exp(Numbers const& n) {
  return forward(n, [](at::Tensor const& x) { return torch::logsumexp(x, 1); });
}
Work layer_norm(Numbers const& n) {
  return forward(n, [w = n.width](at::Tensor const& x) { return torch::layer_norm(x, {w}); });
}
Work softmax_gradient(Numbers const& n) {
  return with_gradient(n, [w = matrix(n.weight, n)](at::Tensor const& x) {
    return (w * torch::softmax(x, 1)).sum();
  });
}
Work layer_norm_gradient(Numbers const& n) {
  return with_gradient(n, [w = matrix(n.weight, n), d = n.width](at::Tensor const& x) {
    return (w * torch::layer_norm(x, {d})).sum();
  });
}
Work cross_entropy_gradient(Numbers const& n, std::int32_t const* labels) {
  auto const y = torch::from_blob(const_cast<std::int32_t*>(labels), {n.rows}, torch::kInt32);
  return with_gradient(n, [y = y.to(torch::kInt64)](at::Tensor const& x) {
    return torch::cross_entropy_loss(x, y);
  });
}

}  // namespace torch_rows
