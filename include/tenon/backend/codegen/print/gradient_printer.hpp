#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/adjoint/backward.hpp>
#include <tenon/backend/codegen/node/columns.hpp>

namespace tenon::internal::codegen {

/// Prints the kernels of a plan, and those of its backward, from the last kernel to the first. A
/// matmul is printed before the elementwise ops that follow it, whose backward reads its value.
class GradientPrinter {
 public:
  explicit GradientPrinter(Dialect const& dialect) : functions_(dialect) {}

  template <class E>
  int kernel(E const& e) {
    return add(node_with_text(e));
  }
  template <class E>
  int product(E const& e) {
    return kernel(e);
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    auto const value = earlier(product, kernel(product));
    return add(node_with_text(value), value.number, node_with_text(e));
  }

  /// The kernels that compute values; the last one computes the result.
  std::vector<Kernel> const& forward() const { return forward_; }
  /// All kernels, in execution order.
  std::vector<Kernel> kernels() const {
    std::vector<Kernel> all = forward_;
    for (auto kernels = backward_.rbegin(); kernels != backward_.rend(); ++kernels)
      all.insert(all.end(), kernels->begin(), kernels->end());
    return all;
  }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(forward_.size()); }
  Backward backward() { return {functions_, "pull_" + std::to_string(forward_.size())}; }

  // Functions shared by both are printed first: the forward kernel before its backward.
  int add(Node e) {
    Kernel kernel = printed(functions_, next_name(), e);
    return add(std::move(kernel), backward_of(backward(), e));
  }
  int add(Node value, int number, Node e) {
    Kernel kernel = printed(functions_, next_name(), value, e);
    return add(std::move(kernel), backward_of(backward(), value, number, e));
  }
  int add(Kernel kernel, std::vector<Kernel> backward) {
    for (Kernel& each : backward) each.with_backward = static_cast<int>(forward_.size());
    forward_.push_back(std::move(kernel));
    backward_.push_back(std::move(backward));
    return static_cast<int>(forward_.size()) - 1;
  }

  Functions functions_;
  std::vector<Kernel> forward_;
  std::vector<std::vector<Kernel>> backward_;
};

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::GradientPrinter;

}  // namespace tenon::codegen
