#pragma once

#include <tenon/backend/codegen/print/gradient_printer.hpp>
#include <tenon/backend/codegen/print/kernel_source.hpp>

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
