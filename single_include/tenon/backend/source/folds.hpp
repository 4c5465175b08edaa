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

#include <tenon/backend/source/element.hpp>
#include <tenon/backend/source/flat.hpp>
#include <tenon/backend/source/loops.hpp>
#include <tenon/backend/source/positions.hpp>

/// Reductions and contractions as loops, emitted before the use of their result and hoisted out of
/// all loops that they do not depend on.
namespace tenon::source {

/// The partition of the rows of an expression.
Cut cut_of(Functions const& functions, Node e, int row_axes);

/// The reduced axes, flattened.
FlatAxes folded_axes(Walk& walk, Node fold);

/// Enters a loop for every reduced axis, or one over the share of a work item; returns the indices
/// into the operand.
Places folded_places(Walk& walk, Node fold, Places const& at, Loops& loops);

/// Whether a reduction may be longer than a block.
bool is_longer_than_a_block(Node fold);

/// The element of the operand at the `j`-th index along the reduced axes.
Value folded_element(Walk& walk, Node fold, Places const& at, int j);

/// Reduces a range of the row, which is `1 / pieces` of it.
int folded_range(Walk& walk, Node fold, Places const& at, int block, Range const& range);

/// The indices of an operand's axes among those of labels.
Places labelled_places(AxisMap const& labels, std::array<Place, max_labels> const& at);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/folds.ipp>
#endif
