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

#include <concepts>
#include <utility>

#include <tenon/dist/divided.hpp>

/// Sharding propagation: the sharding of an expression over `Whole` operands, from its type.
namespace tenon {

/// The reduction over ranks that completes a local reduction; none for argmax and argmin.
template <class Op>
constexpr Reduction reduction_of() {
  Reduction found = Reduction::none;
  auto const look = [&]<Reduction... one>(std::integer_sequence<Reduction, one...>) {
    ((std::same_as<Op, typename ReductionFold<one>::type> ? void(found = one) : void()), ...);
  };
  using enum Reduction;
  look(std::integer_sequence<Reduction, sum, prod, max, min, any, all>());
  return found;
}

/// A node without a rule: valid only if no operand is sharded.
template <class E>
struct DividedBy {
  static constexpr Divided of(Divided const*) {
    return misdivided(DivisionMistake::unknown, "recipe");
  }
};

template <int i, class T, Spec S, class D>
struct DividedBy<Whole<i, T, S, D>> {
  static constexpr Divided of(Divided const* operands) { return operands[i]; }
};

template <class T>
struct DividedBy<ConstantNode<T>> {
  static constexpr Divided of(Divided const*) { return {}; }
};

template <class Op, class... E>
struct DividedBy<Elementwise<Op, E...>> {
  static constexpr Divided of(Divided const* operands) {
    return divided_map<sizeof...(E)>(Op::name, MapAlignment<E...>::value, {&E::shape...},
                                     {DividedBy<E>::of(operands)...});
  }
};

template <class Op, class E, AxisBits axes, bool keeps>
struct DividedBy<Fold<Op, E, axes, keeps>> {
  static constexpr Divided of(Divided const* operands) {
    return divided_fold(Op::name, reduction_of<Op>(), E::shape, axes, keeps,
                        DividedBy<E>::of(operands));
  }
};

template <class E, PackedMap order, Spec S>
struct DividedBy<Moved<E, order, S>> {
  static constexpr Divided of(Divided const* operands) {
    return divided_move(E::shape, ShapeOf<S>::shape, unpacked(order), DividedBy<E>::of(operands));
  }
};

template <class A, class B, class Rule>
struct DividedBy<Contract<A, B, Rule>> {
  static constexpr Divided of(Divided const* operands) {
    return divided_product(Rule::name, Rule::contraction, A::shape, DividedBy<A>::of(operands),
                           B::shape, DividedBy<B>::of(operands));
  }
};

}  // namespace tenon
