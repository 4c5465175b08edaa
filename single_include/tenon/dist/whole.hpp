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

#include <tenon/tenon.hpp>

namespace tenon {

/// Abstract global operand `i` of a function: dtype, shape and sizes, no elements. The expression
/// that the function returns for such operands determines the axes of its result.
template <int i, class T, Spec S, class D>
struct Whole : ExpressionNode<Whole<i, T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  Sizes extents = ones();

  constexpr explicit Whole(Sizes const& sizes) : extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

/// Whether an expression consists of such operands.
template <class E>
inline constexpr bool is_of_wholes = is_of_wholes<OperandsOf<E>>;
template <int i, class T, Spec S, class D>
inline constexpr bool is_of_wholes<Whole<i, T, S, D>> = true;
template <class... E>
inline constexpr bool is_of_wholes<Types<E...>> = (is_of_wholes<E> || ...);

/// Stored operand of a contraction: unchanged, since there is nothing to evaluate.
template <class X>
  requires is_of_wholes<Unqualified<X>>
struct ProductOperand<X> {
  using type = Unqualified<X>;
};

}  // namespace tenon
