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

#include <tenon/backend/source/pull.hpp>
#include <tenon/tenon.hpp>

/// Backward of all elements of an expression, row by row.
namespace tenon::source {

/// The adjoint of an element of a recipe.
using AdjointAt = Callback<Value(Places const&)>;

/// The index in the result of a reduction for an element of its operand.
TENON_RUNTIME Places result_places(Node fold, Places const& at) {
  Places own{};
  auto const rank = static_cast<std::size_t>(fold.operand_at(0).rank());
  for (std::size_t i = 0, to = 0; i < rank; ++i) {
    bool const folds = has_axis(fold->axes, static_cast<int>(i));
    if (!folds) own[to] = at[i];
    to += folds && !fold->keeps ? 0u : 1u;
  }
  return own;
}

/// Whether an expression is a sum, possibly times or divided by a number. Its backward does not
/// need the value of the sum.
TENON_RUNTIME bool ends_in_sum(Node e) {
  if (e.is(NodeKind::fold)) return e->fold->is_sum;
  return e.is(NodeKind::map) && e->map->factor != nullptr &&
         e.operand_at(1).is(NodeKind::constant) && ends_in_sum(e.operand_at(0));
}

/// Propagates the adjoint of all elements, with the rows of the forward kernel.
TENON_RUNTIME void pull_rows(Reverse& reverse, Node e, AdjointAt const& adjoint) {
  int const rank = e.rank(), row_axes = e->wanted_row;
  Quantities const sizes = sizes_of(reverse.walk(), e);
  if (e->has_fold) reverse.cut(cut_of(reverse.listing().functions(), e, row_axes));
  reverse.rows(sizes, rank - row_axes, [&](Places const& rows) {
    Loops loops(reverse.listing(), reverse.block());
    Places const at = open_row(reverse.walk(), sizes, rank, row_axes, rows, loops);
    reverse.within(loops, [&] { pull_back(reverse, e, at, adjoint(at)); });
  });
}

/// The same; every summed element has the adjoint of the sum, so that each of them is a row.
TENON_RUNTIME void pull_to_rows(Reverse& reverse, Node e, AdjointAt const& adjoint) {
  if (!ends_in_sum(e)) return pull_rows(reverse, e, adjoint);
  if (e.is(NodeKind::fold))
    return pull_to_rows(reverse, e.operand_at(0),
                        [&](Places const& at) { return adjoint(result_places(e, at)); });
  Value const factor = e->map->factor(element_of(reverse.walk(), e.operand_at(1), Places()));
  pull_to_rows(reverse, e.operand_at(0),
               [&](Places const& at) { return e->map->scaled(factor, adjoint(at)); });
}

TENON_RUNTIME void pull_whole(Reverse& reverse, Node e) {
  pull_to_rows(reverse, e, [&](Places const& at) { return adjoint_element(reverse, e, at); });
}

}  // namespace tenon::source
