#pragma once

#include <utility>

#include <tenon/expr/map/map.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/expr/view/packed.hpp>
#include <tenon/op/activations.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/function.hpp>
#include <tenon/op/reduction.hpp>
#include <tenon/op/shifted.hpp>

/// Formulas that are replaced when they are composed, by the types of their nodes:
///
///   op    written                        replaced by                     because
///   log   log(softmax(x))                log_softmax(x)                  softmax underflows to 0
///         log(sigmoid(x))                -softplus(-x)                   sigmoid underflows to 0
///         log(c + x), log(x + c)         if c is 1: log1p(x)             c + x loses x
///   -     exp(x) - c                     if c is 1: expm1(x)             the difference cancels
///   *     c * (d * x), in every order    (c * d) * x of integers         one product
///
/// c and d are C++ numbers. Their values are not part of a type: the ops `LogOfSum` and `ExpMinus`
/// compare c with 1 when they run. docs/numerics.md states what this changes.
namespace tenon::internal {

template <class Op, class E, AxisBits axes, bool keeps>
struct ReductionNode;

/// The rules of an op: `of(operands...)` composes what replaces the op over such operands. A rule
/// is an overload; an op with none has no specialisation. (Nodes are composed by `map`, which is
/// found where a rule applies.)
template <class Op>
struct Rules {};

template <>
struct Rules<op::Log> {
  /// log(exp(z) / sum(exp(w))) is z - log(sum(exp(w))): of a softmax this is log_softmax.
  template <class Z, class W, AxisBits axes>
  static constexpr auto of(
      Elementwise<op::Div, Elementwise<op::Exp, Z>,
                  ReductionNode<op::SumReduction, Elementwise<op::Exp, W>, axes, true>>&& e) {
    auto exponential = moved_operand<0>(e);
    return map<op::Sub>(moved_operand<0>(exponential), map<op::Log>(moved_operand<1>(e)));
  }
  template <class X>
  static constexpr auto of(Elementwise<op::Sigmoid, X>&& e) {
    return map<op::Neg>(map<op::Softplus>(map<op::Neg>(moved_operand<0>(e))));
  }
  template <class T, class X>
  static constexpr auto of(Elementwise<op::Add, ConstantNode<T>, X>&& e) {
    return map<op::LogOfSum>(moved_operand<0>(e), moved_operand<1>(e));
  }
  template <class T, class X>
  static constexpr auto of(Elementwise<op::Add, X, ConstantNode<T>>&& e) {
    return map<op::LogOfSum>(moved_operand<1>(e), moved_operand<0>(e));
  }
};

template <>
struct Rules<op::Sub> {
  template <class X, class T>
  static constexpr auto of(Elementwise<op::Exp, X>&& e, ConstantNode<T>&& c) {
    return map<op::ExpMinus>(moved_operand<0>(e), c);
  }
};

template <>
struct Rules<op::Mul> {
  template <IntegerType T, class X>
  static constexpr auto of(ConstantNode<T>&& c, Elementwise<op::Mul, ConstantNode<T>, X>&& e) {
    return map<op::Mul>(product(c, moved_operand<0>(e)), moved_operand<1>(e));
  }
  template <IntegerType T, class X>
  static constexpr auto of(ConstantNode<T>&& c, Elementwise<op::Mul, X, ConstantNode<T>>&& e) {
    return map<op::Mul>(moved_operand<0>(e), product(c, moved_operand<1>(e)));
  }
  template <IntegerType T, class E>
    requires requires(ConstantNode<T> c, E e) { of(std::move(c), std::move(e)); }
  static constexpr auto of(E&& e, ConstantNode<T>&& c) {
    return of(std::move(c), std::forward<E>(e));
  }
  template <IntegerType T>
  static constexpr ConstantNode<T> product(ConstantNode<T> c, ConstantNode<T> d) {
    return ConstantNode<T>(op::Mul::f(c.value, d.value));
  }
};

/// Whether a rule replaces an op over stored operands.
template <class Op, class... E>
concept Replaced = requires { Rules<Op>::of(std::declval<E>()...); };

/// What replaces an op over stored operands.
template <class Op, class... E>
struct Replacement {
  using type = decltype(Rules<Op>::of(std::declval<E>()...));
};

}  // namespace tenon::internal
