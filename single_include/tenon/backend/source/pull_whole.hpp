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

#include <tenon/backend/source/pull_folds.hpp>
#include <tenon/backend/source/pull_product.hpp>

/// The adjoint of all elements of a recipe, row by row.
namespace tenon::source {

/// Where the result of a fold is that an element of the operand went into.
template <class Op, class E, AxisBits axes, bool keeps>
Places result_places(Fold<Op, E, axes, keeps> const&, Places const& at) {
  Places own{};
  for (std::size_t i = 0, to = 0; i < static_cast<std::size_t>(E::shape.rank); ++i) {
    bool const folds = has_axis(axes, static_cast<int>(i));
    if (!folds) own[to] = at[i];
    to += folds && !keeps ? 0 : 1;
  }
  return own;
}

/// Is a recipe a sum, or a sum times or divided by a number? Its backward asks for no sum.
template <class E>
inline constexpr bool ends_in_sum = false;
template <class E, AxisBits axes, bool keeps>
inline constexpr bool ends_in_sum<Fold<op::SumFold, E, axes, keeps>> = true;
template <class Op, class A, class T>
inline constexpr bool ends_in_sum<Elementwise<Op, A, ConstantNode<T>>> =
    ends_in_sum<A> && (std::same_as<Op, op::Mul> || std::same_as<Op, op::Div>);

/// Passes the adjoint of all elements back, row by row as they were computed; `adjoint(at)` is that
/// of one.
template <class E, class Adjoint>
void pull_rows(Reverse& reverse, E const& e, Adjoint const& adjoint) {
  constexpr int rank = E::shape.rank, row_axes = has_fold<E> ? wanted_row<E> : 0;
  Quantities const sizes = sizes_of(reverse.walk(), e);
  if constexpr (has_fold<E>) reverse.cut(cut_of(reverse.listing().functions(), e, row_axes));
  reverse.rows(sizes, rank - row_axes, [&](Places const& rows) {
    Loops loops(reverse.listing(), reverse.block());
    Places const at = open_row(reverse.walk(), sizes, rank, row_axes, rows, loops);
    reverse.within(loops, [&] { pull_back(reverse, e, at, adjoint(at)); });
  });
}

/// The same; every element that is summed has the adjoint of the sum, so that all of them are rows.
template <class E, class Adjoint>
void pull_to_rows(Reverse& reverse, E const& e, Adjoint const& adjoint) {
  using T = typename E::value_type;
  if constexpr (!ends_in_sum<E>) {
    pull_rows(reverse, e, adjoint);
  } else if constexpr (is_fold<E>) {
    pull_to_rows(reverse, operand_at<0>(e),
                 [&](Places const& at) { return adjoint(result_places(e, at)); });
  } else {
    Symbol<T> const none(T(0)), number = element_of(reverse.walk(), operand_at<1>(e), Places());
    auto const slope = E::op::d(none, number, none).p0;
    pull_to_rows(reverse, operand_at<0>(e),
                 [&](Places const& at) { return op::pulled(slope, adjoint(at)); });
  }
}

/// Passes the adjoint that a kernel is given back to the leaves of a recipe.
template <class E>
void pull_whole(Reverse& reverse, E const& e) {
  pull_to_rows(reverse, e, [&](Places const& at) { return adjoint_element(reverse, e, at); });
}

}  // namespace tenon::source
