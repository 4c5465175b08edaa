// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

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
