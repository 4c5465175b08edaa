#pragma once

#include <type_traits>

#include <tenon/tensor/expression.hpp>

/// `total += loss`: a number changed by the value of a scalar. (g++ 12 does not consider the
/// conversion of the scalar for the built-in operators.)
namespace tenon::compile_error {

/// The number cannot hold every value of the scalar's dtype.
template <class Number, class Dtype>
struct scalar_would_be_narrowed;

}  // namespace tenon::compile_error

namespace tenon::internal {

template <class N, class E>
concept NumberBesideScalar =
    std::is_arithmetic_v<N> && Expression<E> && ScalarShape<Unqualified<E>>;

/// Whether the number holds every value of the scalar: `double` those of `float`.
template <class N, class E>
concept HoldsValue =
    NumberBesideScalar<N, E> && requires(typename Unqualified<E>::value_type x) { N{x}; };

template <class N, class E>
  requires(NumberBesideScalar<N, E> && !HoldsValue<N, E>)
using Narrowed = error::scalar_would_be_narrowed<N, typename Unqualified<E>::value_type>;

template <class N, class E>
  requires HoldsValue<N, E>
constexpr N& operator+=(N& number, E const& scalar) {
  return number += scalar.item();
}
template <class N, class E>
auto operator+=(N&, E const&) -> Narrowed<N, E>;

template <class N, class E>
  requires HoldsValue<N, E>
constexpr N& operator-=(N& number, E const& scalar) {
  return number -= scalar.item();
}
template <class N, class E>
auto operator-=(N&, E const&) -> Narrowed<N, E>;

template <class N, class E>
  requires HoldsValue<N, E>
constexpr N& operator*=(N& number, E const& scalar) {
  return number *= scalar.item();
}
template <class N, class E>
auto operator*=(N&, E const&) -> Narrowed<N, E>;

template <class N, class E>
  requires HoldsValue<N, E>
constexpr N& operator/=(N& number, E const& scalar) {
  return number /= scalar.item();
}
template <class N, class E>
auto operator/=(N&, E const&) -> Narrowed<N, E>;

}  // namespace tenon::internal
