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

#include <tenon/backend/source/reverse.hpp>

/// Emits the backward of a node to its operands; values needed by its derivative are recomputed
/// where they are used.
namespace tenon::source {

/// Whether an expression has a leaf whose adjoint is required.
bool leads_back(Reverse const& reverse, Node e);

/// Propagates a contribution to the adjoint of an expression's element back to the leaves.
void pull_back(Reverse& reverse, Node e, Places const& at, Value const& share);

/// Accumulates contributions to the adjoint of a reduction; equal reductions share one.
void pull_back_fold(Reverse& reverse, Node fold, Places const& at, Value const& share);

/// An element of the adjoint that a kernel propagates.
Value adjoint_element(Reverse& reverse, Node e, Places const& at);

/// Propagates the adjoint of a contraction to one operand.
void pull_factor(Reverse& reverse, Node product, bool is_left);

/// Propagates the adjoint passed to a kernel back to the leaves of an expression, row by row.
void pull_whole(Reverse& reverse, Node e);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/pull.folds.ipp>
#include <tenon/backend/source/pull.ipp>
#include <tenon/backend/source/pull.product.ipp>
#include <tenon/backend/source/pull.whole.ipp>
#endif
