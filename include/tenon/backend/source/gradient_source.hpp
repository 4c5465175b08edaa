#pragma once

#include <tenon/backend/source/gradient_printer.hpp>
#include <tenon/backend/source/kernel_source.hpp>

namespace tenon {

struct GradientSourceName {
  static constexpr std::string_view name = "gradient_source";
};

/// The first dtype that is in the way: one of which a dialect does not speak, or the recipe's own,
/// if that has no gradient.
template <class D, class X>
using UnpulledDtype = typename source::FirstOf<
    source::UnspokenDtype<D, X>,
    std::conditional_t<FloatType<typename X::value_type>, void, typename X::value_type>>::type;
template <class D, class X>
using GradientSourceMistake =
    typename UnspokenMistake<UnpulledDtype<D, X>, GradientSourceName>::type;

/// A recipe in dtypes of which a dialect speaks, that has a gradient.
template <class X, class D>
concept PulledIn = Expression<X> && std::is_void_v<UnpulledDtype<D, std::remove_cvref_t<X>>>;

/// The text of all kernels that evaluating a recipe would run, and of those that pass the adjoint
/// of its result back to its leaves, in order, in the dialect `D`. A backward kernel adds to
/// adjoints: `g0` is as long as the leaf that the comment names. Nothing is computed.
/// JAX: `jit(vjp)` lowered, as text.
template <Dialect D, PulledIn<D> X>
std::string gradient_source(X const& recipe) {
  source::GradientPrinter printer(D::text);
  plan(before_rounding(source::as_evaluated(recipe)), printer);
  return source::whole_text<D>(printer);
}
template <Dialect D, Expression X, class R = GradientSourceMistake<D, X>>
  requires(!PulledIn<X, D>)
auto gradient_source(X const&) -> R;
template <Dialect D, class X>
auto gradient_source(X const&) -> FirstMistake<X>;

}  // namespace tenon
