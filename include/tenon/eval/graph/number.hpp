#pragma once

#include <algorithm>

#include <tenon/eval/graph/graph.hpp>
#include <tenon/op/list.hpp>

namespace tenon::internal::graph {

template <class Op, class... T>
using ResultOf = std::remove_cvref_t<decltype(Op::f(std::declval<T>()...))>;

template <class Op, class... T>
concept ComputesComplex = ComplexType<ResultOf<Op, T...>> ||
                          (std::floating_point<ResultOf<Op, T...>> && (ComplexType<T> || ...));

template <class Op, class... T>
concept HasDerivative = std::floating_point<ResultOf<Op, T...>> &&
                        requires(Number<T>... x, Number<ResultOf<Op, T...>> y) { Op::d(x..., y); };

/// The contribution of an adjoint to one operand of dtype `X`.
template <class X, class Derivative, class R>
void add_share(Derivative const& derivative, Number<R> adjoint, Id operand, Adjoints& adjoints) {
  if constexpr (std::floating_point<X> && !std::same_as<Derivative, op::Zero>) {
    if (adjoints.wants(operand))
      adjoints.add(operand, convert<X>(op::backward_of(derivative, adjoint)).id);
  }
}

/// The graph's operations for an op on elements of dtypes `T`, the operands numbered k.
template <class Op, class Numbers, class... T>
struct OpOn;
template <class Op, std::size_t... k, class... T>
struct OpOn<Op, std::index_sequence<k...>, T...> {
  using R = ResultOf<Op, T...>;

  [[gnu::cold]] static void run(std::byte* to, MapOp::Operands const& from, std::int64_t count) {
    R* const result = reinterpret_cast<R*>(to);
    for (std::int64_t i = 0; i < count; ++i)
      result[i] = Op::f(reinterpret_cast<T const*>(from[k])[i]...);
  }
  [[gnu::cold]] static void backward(Id self, std::span<Id const> x, Id adjoint,
                                     Adjoints& adjoints) {
    Number<R> const share(adjoint);
    auto const derivatives = Op::d(Number<T>(x[k])..., Number<R>(self));
    (add_share<T>(op::partial_of<k>(derivatives), share, x[k], adjoints), ...);
  }

  [[gnu::cold]] static void refuse(Id, std::span<Id const>, Id, Adjoints&) { refuse_complex(); }

  static constexpr MapOp op() {
    if constexpr (ComputesComplex<Op, T...>) return {element_of<R>, &run, &refuse};
    else if constexpr (HasDerivative<Op, T...>) return {element_of<R>, &run, &backward};
    else return {element_of<R>, &run, nullptr};
  }
};

template <class Op, class... T>
inline constexpr MapOp map_op = OpOn<Op, std::index_sequence_for<T...>, T...>::op();

/// `Op::f` of every element; single numbers broadcast.
template <class Op, class... T>
Number<ResultOf<Op, T...>> map(Number<T>... x) {
  std::array<Id, sizeof...(T)> operands{x.id...};
  return Number<ResultOf<Op, T...>>(Graph::current->map(map_op<Op, T...>, operands));
}

}  // namespace tenon::internal::graph

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
// (Templates, so that only a call instantiates `map`.)
template <std::same_as<bool> T>
Number<T> operator!(Number<T> mask) {
  return map<op::Not>(mask);
}
template <std::same_as<bool> T>
Number<T> operator&(Number<T> a, Number<T> b) {
  return map<op::And>(a, b);
}
template <std::same_as<bool> T>
Number<T> operator|(Number<T> a, Number<T> b) {
  return map<op::Or>(a, b);
}

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
