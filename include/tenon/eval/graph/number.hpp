#pragma once

#include <tenon/eval/graph/map.hpp>

/// The functions that definitions of derivatives apply to numbers, found by argument-dependent
/// lookup.
namespace tenon::internal::graph {

template <class T>
Number<T> operator+(Number<T> a, Number<T> b) {
  return map<op::Add>(a, b);
}
template <class T>
Number<T> operator-(Number<T> a, Number<T> b) {
  return map<op::Sub>(a, b);
}
template <class T>
Number<T> operator*(Number<T> a, Number<T> b) {
  return map<op::Mul>(a, b);
}
template <class T>
Number<T> operator/(Number<T> a, Number<T> b) {
  return map<op::Div>(a, b);
}
template <class T>
Number<T> operator-(Number<T> x) {
  return map<op::Neg>(x);
}

template <class T>
Number<bool> operator==(Number<T> a, Number<T> b) {
  return map<op::Equal>(a, b);
}
template <class T>
Number<bool> operator!=(Number<T> a, Number<T> b) {
  return map<op::NotEqual>(a, b);
}
template <class T>
Number<bool> operator<(Number<T> a, Number<T> b) {
  return map<op::Less>(a, b);
}
template <class T>
Number<bool> operator<=(Number<T> a, Number<T> b) {
  return map<op::LessEqual>(a, b);
}
template <class T>
Number<bool> operator>(Number<T> a, Number<T> b) {
  return map<op::Less>(b, a);
}
template <class T>
Number<bool> operator>=(Number<T> a, Number<T> b) {
  return map<op::LessEqual>(b, a);
}
inline Number<bool> operator!(Number<bool> mask) { return map<op::Not>(mask); }
inline Number<bool> operator&(Number<bool> a, Number<bool> b) { return map<op::And>(a, b); }
inline Number<bool> operator|(Number<bool> a, Number<bool> b) { return map<op::Or>(a, b); }

template <class T>
Number<T> select(Number<bool> mask, Number<T> yes, Number<T> no) {
  return map<op::Where>(mask, yes, no);
}
template <class T>
Number<T> abs(Number<T> x) {
  return map<op::Abs>(x);
}
template <class T>
Number<T> sqrt(Number<T> x) {
  return map<op::Sqrt>(x);
}
template <class T>
Number<T> floor(Number<T> x) {
  return map<op::Floor>(x);
}
template <class T>
Number<T> maximum(Number<T> a, Number<T> b) {
  return map<op::Maximum>(a, b);
}
template <class T>
Number<T> minimum(Number<T> a, Number<T> b) {
  return map<op::Minimum>(a, b);
}
template <class T>
Number<bool> is_nan(Number<T> x) {
  return x != x;
}
template <class T>
Number<T> fma(Number<T> x, Number<T> y, Number<T> z) {
  return x * y + z;
}
template <class T>
Number<T> clamp(Number<T> x, Number<T> low, Number<T> high) {
  return select(x < low, low, select(high < x, high, x));
}
template <class T>
Number<T> copysign(Number<T> magnitude, Number<T> sign) {
  Number<T> const size = abs(magnitude);
  return select(sign < Number<T>(T(0)), -size, size);
}
template <class To, class T>
Number<To> convert(Number<T> x) {
  if constexpr (std::same_as<To, T>) return x;
  else return map<op::Cast<To>>(x);
}

template <class T>
Number<T> add(Number<T> a, Number<T> b) {
  return a + b;
}
template <class T>
Number<T> subtract(Number<T> a, Number<T> b) {
  return a - b;
}
template <class T>
Number<T> multiply(Number<T> a, Number<T> b) {
  return a * b;
}
template <class T>
Number<T> divide(Number<T> a, Number<T> b) {
  return a / b;
}

/// Another op inside a derivative, with its own derivative.
template <class Op, class T>
Number<T> applied(Number<T> x) {
  return map<Op>(x);
}
template <class Op, class T>
Number<T> applied(Number<T> a, Number<T> b) {
  return map<Op>(a, b);
}

}  // namespace tenon::internal::graph
