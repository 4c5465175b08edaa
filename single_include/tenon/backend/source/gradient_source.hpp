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

/// The first dtype that prevents a gradient: one that a dialect does not support, or that of the
/// expression itself if it is not differentiable.
template <class D, class X>
using UnpulledDtype = typename source::FirstOf<
    source::UnspokenDtype<D, X>,
    std::conditional_t<FloatType<typename X::value_type>, void, typename X::value_type>>::type;
template <class D, class X>
using GradientSourceMistake =
    typename UnspokenMistake<UnpulledDtype<D, X>, GradientSourceName>::type;

/// A differentiable expression in dtypes supported by a dialect.
template <class X, class D>
concept PulledIn = Expression<X> && std::is_void_v<UnpulledDtype<D, std::remove_cvref_t<X>>>;

/// The text of all kernels that the evaluation of an expression and its backward would run, in
/// order, in the dialect `D`. Backward kernels accumulate: `g0` has the size of the leaf named by
/// the comment. Nothing is computed. JAX: `jit(vjp)` lowered, as text.
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
