#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include <tenon/backend/codegen/print/kernel_source.hpp>
#include <tenon/core/call.hpp>
#include <tenon/eval/backend.hpp>

/// The kernel text that a device would compile, available on any machine:
/// `kernel_source<Cuda>(softmax<"k">(x))`.
namespace tenon::internal {

/// Options for the text of kernels.
struct SourceOptions {
  bool comments = true;  ///< The inputs of kernels, the op and axes of statements.
};

/// A device that compiles kernels from text.
template <class D>
concept PrintedDevice = Device<D> && requires { typename BackendOf<D>::dialect; };

namespace codegen {

/// A text without `//` comments.
inline std::string without_comments(std::string const& text) {
  std::string rest;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = (std::min)(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    std::size_t const comment = line.find("//");
    if (comment == 0) continue;
    if (comment != line.npos) line.resize(line.find_last_not_of(' ', comment - 1) + 1);
    rest += line + "\n";
  }
  return rest;
}

}  // namespace codegen

/// The text of all kernels that a device would run to evaluate an expression, in order: scalars and
/// run-time sizes are parameters. The leaves may be on any device; the target need not be present.
/// Nothing is computed. JAX: `jit(f).lower(x).as_text()`.
template <PrintedDevice D, SupportedIn<typename BackendOf<D>::dialect> X>
std::string kernel_source(X const& expression, SourceOptions options = {}) {
  using Language = typename BackendOf<D>::dialect;
  codegen::Printer printer(Language::text, true);
  plan(codegen::as_evaluated(expression), printer);
  std::string const text = codegen::whole_text<Language>(printer);
  return options.comments ? text : codegen::without_comments(text);
}
template <PrintedDevice D, Expression X,
          class R = KernelSourceMistake<typename BackendOf<D>::dialect, X>>
  requires(!SupportedIn<X, typename BackendOf<D>::dialect>)
auto kernel_source(X const&, SourceOptions = {}) -> R;

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
