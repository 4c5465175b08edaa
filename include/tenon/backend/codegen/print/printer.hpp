#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/kernels/expression_kernels.hpp>
#include <tenon/backend/codegen/node/columns.hpp>

namespace tenon::internal::codegen {

/// Prints the kernels of a plan: those that a device launches, or plain loops in a language.
class Printer {
 public:
  explicit Printer(Dialect const& dialect, bool is_for_device = false, bool is_optimised = true)
      : functions_(dialect, is_for_device) {
    functions_.are_optimised = is_optimised;
  }

  template <class E>
  int kernel(E const& e) {
    if (!functions_.are_for_device)
      return add(printed(functions_, next_name(), node_with_text<false>(e)));
    Node const node = node_with_text<false>(e);
    return add(kernels_of(functions_, node, nullptr, node->wanted_row));
  }
  template <class E>
  int product(E const& e) {
    return kernel(e);
  }
  /// On a device without tiles for the matmul, the matmul is stored, then read by another kernel.
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    Node const first = node_with_text<false>(product), rest = node_with_text<false>(e);
    if (!functions_.are_for_device) return add(printed(functions_, next_name(), first, rest));
    if (tiles_of(functions_, first))
      return add(kernels_of(functions_, first, ProductValue{}, rest));
    auto const value = earlier(product, kernel(product));
    return add(printed(functions_, next_name(), node_with_text<false>(value), rest));
  }

  std::vector<Kernel> const& kernels() const { return kernels_; }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(kernels_.size()); }
  /// The kernels of one expression, named by their order; the last one computes the result.
  int add(std::vector<Kernel> kernels) {
    for (Kernel& kernel : kernels) {
      std::size_t const at = kernel.text.find(kernel.name + "(");
      kernel.text.replace(at, kernel.name.size(), next_name());
      kernel.name = next_name();
      add(std::move(kernel));
    }
    return static_cast<int>(kernels_.size()) - 1;
  }
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
