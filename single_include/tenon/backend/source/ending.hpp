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

/// What follows a product, where a library of the device computes it before it stores the sums.
namespace tenon::source {

/// A function of each element, after a bias is added.
enum class EndFunction { none, relu, gelu_tanh };

/// What becomes of the sums of a product: each is added to an element of a bias, which lies as a
/// row of the result does, then goes through a function, and is rounded to the result's dtype.
struct Ending {
  EndFunction function = EndFunction::none;
  void const* bias = nullptr;  ///< Of the result's dtype; null: nothing is added.
  std::int64_t biases = 0;
};

/// Is operand `k` of a map a tensor that is repeated along all but the map's last axes?
template <std::size_t k, class Node, class B>
constexpr bool lies_as_bias() {
  if constexpr (TensorType<B>) {
    AxisMap const& map = Node::types::maps[k];
    int const outer = Node::shape.rank - B::shape.rank;
    bool follows = outer > 0 && B::shape.rank > 0;
    for (int i = 0; i < B::shape.rank; ++i)
      follows = follows && map[static_cast<std::size_t>(i)] == outer + i;
    return follows;
  } else {
    return false;
  }
}

/// A bias of a 16-bit dtype is cast where it is read.
template <class E>
using BiasTensor = Unqualified<decltype(strided_of(std::declval<E const&>()))>;

/// The recipes over a product's value `P` that are endings, one a line; `R` is the dtype of the
/// result, and `of(recipe)` says the ending in numbers. Whatever else follows is a kernel.
template <class P, class R, class E>
struct EndingOf {
  static constexpr bool fits = false;
};

/// The product itself,
template <class P, class R>
struct EndingOf<P, R, P> {
  static constexpr bool fits = true, has_function = false;
  static Ending of(P const&) { return {}; }
};

/// with a bias, on either side of the sum,
template <class P, class R, class A, class B>
struct EndingOf<P, R, Elementwise<op::Add, A, B>> {
  using Node = Elementwise<op::Add, A, B>;
  static constexpr bool is_second = std::same_as<A, P>;
  using Bias = BiasTensor<std::conditional_t<is_second, B, A>>;
  static constexpr bool fits =
      (is_second || std::same_as<B, P>)&&lies_as_bias<(is_second ? 1 : 0), Node, Bias>() &&
      std::same_as<typename Bias::value_type, R>;
  static constexpr bool has_function = false;
  static Ending of(Node const& e) { return with(strided_of(operand_at<(is_second ? 1 : 0)>(e))); }

 private:
  static Ending with(Bias const& bias) {
    return {EndFunction::none, internal::stored_elements(bias), bias.size()};
  }
};

/// then a function,
template <class P, class R, class A, EndFunction function>
struct FunctionEnding {
  static constexpr bool fits = false;
};
template <class P, class R, class A, EndFunction function>
  requires(EndingOf<P, R, A>::fits && !EndingOf<P, R, A>::has_function)
struct FunctionEnding<P, R, A, function> {
  static constexpr bool fits = true, has_function = true;
  template <class E>
  static Ending of(E const& e) {
    Ending ending = EndingOf<P, R, A>::of(operand_at<0>(e));
    ending.function = function;
    return ending;
  }
};
template <class P, class R, class A>
struct EndingOf<P, R, Elementwise<op::Relu, A>> : FunctionEnding<P, R, A, EndFunction::relu> {};
template <class P, class R, class A>
struct EndingOf<P, R, Elementwise<op::GeluTanh, A>>
    : FunctionEnding<P, R, A, EndFunction::gelu_tanh> {};

/// and each of these, rounded to a 16-bit dtype.
template <class P, HalfType R, class A>
struct EndingOf<P, R, Elementwise<op::Cast<R>, A>> : EndingOf<P, R, A> {
  static Ending of(Elementwise<op::Cast<R>, A> const& e) {
    return EndingOf<P, R, A>::of(operand_at<0>(e));
  }
};

/// The ending that a recipe is, over a product's value.
template <class P, class E>
using EndingOfRecipe = EndingOf<P, typename E::value_type, E>;

}  // namespace tenon::source
