#pragma once

#include <string>
#include <utility>

#include <tenon/backend/codegen/print/kernel_source.hpp>
#include <tenon/core/call.hpp>
#include <tenon/eval/backend.hpp>

/// The kernel text that a device would compile, available on any machine:
/// `kernel_source<Cuda>(softmax<"k">(x))`.
namespace tenon::internal {

/// A device that compiles kernels from text.
template <class D>
concept PrintedDevice = Device<D> && requires { typename BackendOf<D>::dialect; };

/// The text of all kernels that a device would run to evaluate an expression, in order: scalars and
/// run-time sizes are parameters. The leaves may be on any device; the target need not be present.
/// Nothing is computed. JAX: `jit(f).lower(x).as_text()`.
template <PrintedDevice D, SupportedIn<typename BackendOf<D>::dialect> X>
std::string kernel_source(X const& expression, KernelText const& options = {}) {
  return codegen::kernels_text<typename BackendOf<D>::dialect>(expression, true, options);
}
template <PrintedDevice D, Expression X,
          class R = KernelSourceMistake<typename BackendOf<D>::dialect, X>>
  requires(!SupportedIn<X, typename BackendOf<D>::dialect>)
auto kernel_source(X const&, KernelText const& = {}) -> R;

/// The same for the expression that `f` returns for its arguments.
template <PrintedDevice D, class F, Expression... X>
  requires(!Expression<F> && CallableWith<F const&, X const&...>)
std::string kernel_source(F const& f, X const&... arguments) {
  using Formula = CallResult<F const&, X const&...>;
  static_assert(!TensorType<std::remove_cvref_t<Formula>>,
                "tenon::kernel_source: the function gives a tensor, which is computed already; let "
                "it return the formula");
  return kernel_source<D>(f(arguments...));
}

}  // namespace tenon::internal

namespace tenon {

using internal::kernel_source;

}  // namespace tenon
