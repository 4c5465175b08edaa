#pragma once

#include <tenon/expr/mapped.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/compare.hpp>

/// Operators on expressions, elementwise and broadcasting. Comparisons give masks.
namespace tenon {

template <class A, class B>
concept OperandPair = Operand<A> && Operand<B> && (Expression<A> || Expression<B>);

template <Expression A>
constexpr auto operator-(A&& a) -> Mapped<op::Neg, A&&> {
  return map<op::Neg>(std::forward<A>(a));
}

template <Expression A>
constexpr auto operator!(A&& a) -> Mapped<op::Not, A&&> {
  return map<op::Not>(std::forward<A>(a));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator+(A&& a, B&& b) -> Mapped<op::Add, A&&, B&&> {
  return map<op::Add>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator-(A&& a, B&& b) -> Mapped<op::Sub, A&&, B&&> {
  return map<op::Sub>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator*(A&& a, B&& b) -> Mapped<op::Mul, A&&, B&&> {
  return map<op::Mul>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator/(A&& a, B&& b) -> Mapped<op::Div, A&&, B&&> {
  return map<op::Div>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator<(A&& a, B&& b) -> Mapped<op::Less, A&&, B&&> {
  return map<op::Less>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator<=(A&& a, B&& b) -> Mapped<op::LessEqual, A&&, B&&> {
  return map<op::LessEqual>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator>(A&& a, B&& b) -> Mapped<op::Greater, A&&, B&&> {
  return map<op::Greater>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator>=(A&& a, B&& b) -> Mapped<op::GreaterEqual, A&&, B&&> {
  return map<op::GreaterEqual>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator==(A&& a, B&& b) -> Mapped<op::Equal, A&&, B&&> {
  return map<op::Equal>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator!=(A&& a, B&& b) -> Mapped<op::NotEqual, A&&, B&&> {
  return map<op::NotEqual>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator&&(A&& a, B&& b) -> Mapped<op::And, A&&, B&&> {
  return map<op::And>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator||(A&& a, B&& b) -> Mapped<op::Or, A&&, B&&> {
  return map<op::Or>(std::forward<A>(a), std::forward<B>(b));
}

}  // namespace tenon
