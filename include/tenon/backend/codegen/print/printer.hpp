#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/node/node_type.hpp>

namespace tenon::internal::codegen {

/// Prints the kernels of a plan.
class Printer {
 public:
  explicit Printer(Dialect const& dialect, bool is_for_device = false)
      : functions_(dialect, is_for_device) {}

  template <class E>
  int kernel(E const& e) {
    return add(printed(functions_, next_name(), node_of<false>(e)));
  }
  template <class E>
  int product(E const& e) {
    return kernel(e);
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    return add(printed(functions_, next_name(), node_of<false>(product), node_of<false>(e)));
  }

  std::vector<Kernel> const& kernels() const { return kernels_; }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(kernels_.size()); }
  int add(Kernel kernel) {
    kernels_.push_back(std::move(kernel));
    return static_cast<int>(kernels_.size()) - 1;
  }

  Functions functions_;
  std::vector<Kernel> kernels_;
};

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::Printer;

}  // namespace tenon::codegen
