#pragma once

#include <tenon/expr/map/mapped.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/compare.hpp>

/// Operators on expressions, elementwise and broadcasting. Comparisons give masks.
namespace tenon::internal {

template <class A, WellFormed R = MapOf<op::Neg, A>>
constexpr auto operator-(A&& a) -> R {
  return map<op::Neg>(static_cast<A&&>(a));
}
template <class A, IllFormed R = MapOf<op::Neg, A>>
auto operator-(A&& a) -> R;

template <class A, WellFormed R = MapOf<op::Not, A>>
constexpr auto operator!(A&& a) -> R {
  return map<op::Not>(static_cast<A&&>(a));
}
template <class A, IllFormed R = MapOf<op::Not, A>>
auto operator!(A&& a) -> R;

template <class A, class B, WellFormed R = MapOf<op::Add, A, B>>
constexpr auto operator+(A&& a, B&& b) -> R {
  return map<op::Add>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Add, A, B>>
auto operator+(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Sub, A, B>>
constexpr auto operator-(A&& a, B&& b) -> R {
  return map<op::Sub>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Sub, A, B>>
auto operator-(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Mul, A, B>>
constexpr auto operator*(A&& a, B&& b) -> R {
  return map<op::Mul>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Mul, A, B>>
auto operator*(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Div, A, B>>
constexpr auto operator/(A&& a, B&& b) -> R {
  return map<op::Div>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Div, A, B>>
auto operator/(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Less, A, B>>
constexpr auto operator<(A&& a, B&& b) -> R {
  return map<op::Less>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Less, A, B>>
auto operator<(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::LessEqual, A, B>>
constexpr auto operator<=(A&& a, B&& b) -> R {
  return map<op::LessEqual>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::LessEqual, A, B>>
auto operator<=(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Greater, A, B>>
constexpr auto operator>(A&& a, B&& b) -> R {
  return map<op::Greater>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Greater, A, B>>
auto operator>(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::GreaterEqual, A, B>>
constexpr auto operator>=(A&& a, B&& b) -> R {
  return map<op::GreaterEqual>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::GreaterEqual, A, B>>
auto operator>=(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Equal, A, B>>
constexpr auto operator==(A&& a, B&& b) -> R {
  return map<op::Equal>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Equal, A, B>>
auto operator==(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::NotEqual, A, B>>
constexpr auto operator!=(A&& a, B&& b) -> R {
  return map<op::NotEqual>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::NotEqual, A, B>>
auto operator!=(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::And, A, B>>
constexpr auto operator&&(A&& a, B&& b) -> R {
  return map<op::And>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::And, A, B>>
auto operator&&(A&& a, B&& b) -> R;

template <class A, class B, WellFormed R = MapOf<op::Or, A, B>>
constexpr auto operator||(A&& a, B&& b) -> R {
  return map<op::Or>(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B, IllFormed R = MapOf<op::Or, A, B>>
auto operator||(A&& a, B&& b) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::operator!;
using internal::operator!=;
using internal::operator&&;
using internal::operator*;
using internal::operator+;
using internal::operator-;
using internal::operator/;
using internal::operator<;
using internal::operator<=;
using internal::operator==;
using internal::operator>;
using internal::operator>=;
using internal::operator||;

}  // namespace tenon
