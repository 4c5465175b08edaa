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

#include <tenon/backend/source/printer.hpp>

namespace tenon {

namespace source {

/// The first dtype in an expression that a dialect does not support; `void` if there is none.
template <class D, class T>
using Unspoken = std::conditional_t<(std::is_arithmetic_v<T> ||
                                     HalfType<T>)&&(D::text.has_double || !std::same_as<T, double>),
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
struct UnspokenIn : FirstOf<> {};
template <class D, ExpressionType E>
struct UnspokenIn<D, E>
    : FirstOf<typename UnspokenIn<D, OperandsOf<E>>::type, Unspoken<D, typename E::value_type>> {};
template <class D, class... E>
struct UnspokenIn<D, Types<E...>> : FirstOf<typename UnspokenIn<D, E>::type...> {};

template <class D, class E>
using UnspokenDtype = typename UnspokenIn<D, E>::type;

/// An expression as evaluation computes it, if it contains a 16-bit dtype.
template <class E>
auto as_evaluated(E const& e) {
  if constexpr (is_rounded<E>) return rounded(e);
  else return e;
}

/// All kernels of an expression.
template <class D, class E>
Printer printer_of(E const& e) {
  Printer printer(D::text);
  plan(as_evaluated(e), printer);
  return printer;
}

template <class D, class P>
std::string whole_text(P const& printer) {
  std::string text(D::text.prelude);
  text += printer.functions();
  for (auto const& kernel : printer.kernels()) text += kernel.text + "\n";
  return text;
}

}  // namespace source

struct KernelSourceName {
  static constexpr std::string_view name = "kernel_source";
};

/// A kernel language: see `backend/source/dialect.hpp`.
template <class D>
concept Dialect = std::same_as<std::remove_cvref_t<decltype(D::text)>, source::Dialect>;

/// An expression in dtypes supported by a dialect: no complex numbers.
template <class X, class D>
concept SpokenIn =
    Expression<X> && std::is_void_v<source::UnspokenDtype<D, std::remove_cvref_t<X>>>;

/// The error type; `void` for none.
template <class T, class Name>
struct UnspokenMistake {
  using type = error::dtype_is_not_supported<spec_of_name<Name>, spec_of_dtype<T>>;
};
template <class Name>
struct UnspokenMistake<void, Name> {
  using type = void;
};
template <Dialect D, class X>
using KernelSourceMistake =
    typename UnspokenMistake<source::UnspokenDtype<D, X>, KernelSourceName>::type;

/// The text of all kernels that the evaluation of an expression would run, in order, in the dialect
/// `D`. Static sizes and scalars are literals; pointers and run-time sizes are parameters. Nothing
/// is computed. JAX: `jit(f).lower(x).as_text()`.
template <Dialect D, SpokenIn<D> X>
std::string kernel_source(X const& recipe) {
  return source::whole_text<D>(source::printer_of<D>(recipe));
}
template <Dialect D, Expression X, class R = KernelSourceMistake<D, X>>
  requires(!SpokenIn<X, D>)
auto kernel_source(X const&) -> R;
template <Dialect D, class X>
auto kernel_source(X const&) -> FirstMistake<X>;

}  // namespace tenon
