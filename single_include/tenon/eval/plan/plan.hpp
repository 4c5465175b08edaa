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

/// The kernels that evaluating an expression would run, in order, without running any.
namespace tenon {

/// The value of an earlier kernel as an input of a later one.
template <class T, Spec S, class D>
struct Earlier : ExpressionNode<Earlier<T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  int number;  ///< Of the kernel.
  Sizes extents;

  constexpr Earlier(int kernel, Sizes const& sizes) : number(kernel), extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

template <class E>
inline constexpr bool is_earlier = false;
template <class T, Spec S, class D>
inline constexpr bool is_earlier<Earlier<T, S, D>> = true;

/// Represents the contraction that a kernel computes itself, before its epilogue.
inline constexpr int own_product = -1;

template <class E>
constexpr auto earlier(E const& e, int number) {
  return Earlier<typename E::value_type, spec_of<E>, typename E::device>(number, e.sizes());
}

/// Materializes expressions as evaluation does; instead of running a kernel, calls `Visitor` and
/// replaces the kernel's value by an `Earlier`. A visitor has `kernel(recipe)`, `product(contract)`
/// and `epilogue(contract, recipe)`, where the expression reads the contraction as `own_product`;
/// each returns the kernel's number.
template <class Visitor>
class Planned {
 public:
  explicit Planned(Visitor& visitor) : visitor_(&visitor) {}

  template <class E>
  auto operator()(E const& e) const {
    if constexpr (TensorType<E> || is_earlier<E>) return e;
    else return earlier(e, number_of(e));
  }

  template <class R, class E>
  static auto reshaped_to(E const& value, Sizes const& sizes) {
    return Earlier<typename R::value_type, R::spec, typename R::device>(value.number, sizes);
  }

 private:
  template <class E>
  int number_of(E const& e) const {
    if constexpr (is_contract<E>) {
      return visitor_->product(e);
    } else if constexpr (FusesEpilogue<E>) {
      auto const& product = host_of(e);
      auto const rest = settled(with_host(e, earlier(product, own_product)), *this);
      return visitor_->epilogue(product, rest);
    } else {
      auto const recipe = settled(e, *this);
      if constexpr (is_earlier<Unqualified<decltype(recipe)>>) return recipe.number;
      else return visitor_->kernel(recipe);
    }
  }

  Visitor* visitor_;
};

/// Calls `visitor` for every kernel that evaluating `e` would run, in order. A tensor needs none.
template <class Visitor, class E>
void plan(E const& e, Visitor& visitor) {
  (void)Planned<Visitor>(visitor)(e);
}

}  // namespace tenon
