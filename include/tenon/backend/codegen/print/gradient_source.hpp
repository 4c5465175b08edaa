#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/adjoint/backward.hpp>
#include <tenon/backend/codegen/node/columns.hpp>
#include <tenon/backend/codegen/print/kernel_source.hpp>

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

namespace tenon::internal {

struct GradientSourceName {
  static constexpr std::string_view name = "gradient_source";
};

/// The first dtype that prevents a gradient: one that a dialect does not support, or that of the
/// expression itself if it is not differentiable.
template <class D, class X>
using DtypeWithoutBackward = typename codegen::FirstOf<
    codegen::UnsupportedDtype<D, X>,
    std::conditional_t<FloatType<typename X::value_type>, void, typename X::value_type>>::type;
template <class D, class X>
using GradientSourceMistake =
    typename UnsupportedMistake<DtypeWithoutBackward<D, X>, GradientSourceName>::type;

/// A differentiable expression in dtypes supported by a dialect.
template <class X, class D>
concept HasBackwardIn =
    Expression<X> && std::is_void_v<DtypeWithoutBackward<D, std::remove_cvref_t<X>>>;

/// The text of all kernels that the evaluation of an expression and its backward would run, in
/// order, in the dialect `D`. Backward kernels accumulate: `g0` has the size of the leaf named by
/// the comment. Nothing is computed. JAX: `jit(vjp)` lowered, as text.
template <Dialect D, HasBackwardIn<D> X>
std::string gradient_source(X const& expression) {
  codegen::GradientPrinter printer(D::text);
  plan(before_rounding(codegen::as_evaluated(expression)), printer);
  return codegen::whole_text<D>(printer);
}
template <Dialect D, Expression X, class R = GradientSourceMistake<D, X>>
  requires(!HasBackwardIn<X, D>)
auto gradient_source(X const&) -> R;
template <Dialect D, class X, class R = Refused<Named<"gradient_source">, X>>
auto gradient_source(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::gradient_source;

}  // namespace tenon
