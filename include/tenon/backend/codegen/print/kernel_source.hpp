#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/kernels/expression_kernels.hpp>
#include <tenon/backend/codegen/node/columns.hpp>
#include <tenon/eval/plan/plan.hpp>

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

namespace tenon {

/// Options for the text of kernels.
struct KernelText {
  /// Equal statements are emitted once, and adjacent axes have one index. Otherwise every operation
  /// is emitted where the formula has it.
  bool optimise = true;
  /// The inputs of kernels, the op and the axes of each statement: `// exp "n k"`.
  bool comments = true;
  /// Each line begins with its number, as compilers count.
  bool line_numbers = false;
};

}  // namespace tenon

namespace tenon::internal {

namespace codegen {

/// The first dtype in an expression that a dialect does not support; `void` if there is none.
template <class D, class T>
using Unsupported = std::conditional_t<(std::is_arithmetic_v<T> || HalfType<T>)&&(
                                           D::text.has_double || !std::same_as<T, double>),
                                       void, T>;
template <class... T>
struct FirstOf {
  using type = void;
};
template <class T, class... Rest>
struct FirstOf<T, Rest...> {
  using type = T;
};
template <class... Rest>
struct FirstOf<void, Rest...> : FirstOf<Rest...> {};

template <class D, class E>
struct UnsupportedIn : FirstOf<> {};
template <class D, ExpressionType E>
struct UnsupportedIn<D, E> : FirstOf<typename UnsupportedIn<D, OperandsOf<E>>::type,
                                     Unsupported<D, typename E::value_type>> {};
template <class D, class... E>
struct UnsupportedIn<D, Types<E...>> : FirstOf<typename UnsupportedIn<D, E>::type...> {};

template <class D, class E>
using UnsupportedDtype = typename UnsupportedIn<D, E>::type;

/// An expression as evaluation computes it, if it contains a 16-bit dtype.
template <class E>
auto as_evaluated(E const& e) {
  if constexpr (is_rounded<E>) return rounded(e);
  else return e;
}

/// A text without `//` comments.
std::string without_comments(std::string const& text);
/// A text whose lines begin with their numbers.
std::string with_line_numbers(std::string const& text);

template <class D, class P>
std::string whole_text(P const& printer) {
  std::string text(D::text.prelude);
  text += printer.functions();
  for (auto const& kernel : printer.kernels()) text += kernel.text + "\n";
  return text;
}

/// All kernels of an expression, as plain loops or for a device.
template <class D, class E>
std::string kernels_text(E const& e, bool is_for_device, KernelText const& options) {
  Printer printer(D::text, is_for_device, options.optimise);
  plan(as_evaluated(e), printer);
  std::string text = whole_text<D>(printer);
  if (!options.comments) text = without_comments(text);
  return options.line_numbers ? with_line_numbers(text) : text;
}

}  // namespace codegen

struct KernelSourceName {
  static constexpr std::string_view name = "kernel_source";
};

}  // namespace tenon::internal

namespace tenon {

/// A kernel language: see `backend/codegen/text/dialect.hpp`.
template <class D>
concept Dialect = std::same_as<std::remove_cvref_t<decltype(D::text)>, internal::codegen::Dialect>;

}  // namespace tenon

namespace tenon::internal {

/// An expression in dtypes supported by a dialect: no complex numbers.
template <class X, class D>
concept SupportedIn =
    Expression<X> && std::is_void_v<codegen::UnsupportedDtype<D, std::remove_cvref_t<X>>>;

/// The error type; `void` for none.
template <class T, class Name>
struct UnsupportedMistake {
  using type = error::dtype_is_not_supported<spec_of_name<Name>, spec_of_dtype<T>>;
};
template <class Name>
struct UnsupportedMistake<void, Name> {
  using type = void;
};
template <Dialect D, class X>
using KernelSourceMistake =
    typename UnsupportedMistake<codegen::UnsupportedDtype<D, X>, KernelSourceName>::type;

/// The text of all kernels that the evaluation of an expression would run, in order, in the dialect
/// `D`. Static sizes and scalars are literals; pointers and run-time sizes are parameters. Nothing
/// is computed. JAX: `jit(f).lower(x).as_text()`.
template <Dialect D, SupportedIn<D> X>
std::string kernel_source(X const& expression, KernelText const& options = {}) {
  return codegen::kernels_text<D>(expression, false, options);
}
template <Dialect D, Expression X, class R = KernelSourceMistake<D, X>>
  requires(!SupportedIn<X, D>)
auto kernel_source(X const&, KernelText const& = {}) -> R;
template <Dialect D, class X, class R = Refused<Named<"kernel_source">, X>>
auto kernel_source(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::kernel_source;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME std::string without_comments(std::string const& text) {
  std::string rest;
  for (std::string line : lines_of(text)) {
    std::size_t const comment = line.find("//");
    if (comment == 0) continue;
    if (comment != line.npos) line.resize(line.find_last_not_of(' ', comment - 1) + 1);
    rest += line + "\n";
  }
  return rest;
}

TENON_RUNTIME std::string with_line_numbers(std::string const& text) {
  auto const lines = lines_of(text);
  std::size_t const width = std::to_string(lines.size()).size();
  std::string numbered;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string const number = std::to_string(i + 1);
    numbered += std::string(width - number.size(), ' ') + number;
    numbered += (lines[i].empty() ? "" : "  " + lines[i]) + "\n";
  }
  return numbered;
}

}  // namespace tenon::internal::codegen

#endif
