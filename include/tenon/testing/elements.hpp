#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/testing/result.hpp>
#include <tenon/tree/walk.hpp>

/// The elements of what a check compares: of tensors, expressions, numbers and trees of them.
namespace tenon::internal::testing {

/// The values of an expression in memory of the host.
template <Expression X>
auto host_values(X const& x) {
  return moved_to<Cpu>(TensorOf<X>(eval(x)));
}

/// A number that is compared, or that a tree has as a leaf.
template <class T>
inline constexpr bool is_scalar = tree::is_number<T>;

/// The absolute value in double; of complex numbers the modulus.
template <class T>
double magnitude(T const& number) {
  return std::fabs(static_cast<double>(number));
}
template <class T>
double magnitude(std::complex<T> const& number) {
  return static_cast<double>(std::abs(number));
}

/// |a - b| in double: of integers exactly, of equal numbers (also infinities) 0.
template <class A, class B>
double distance(A const& a, B const& b) {
  if constexpr (std::integral<A> && std::same_as<A, B>)
    return static_cast<double>(static_cast<std::uint64_t>(std::max(a, b)) -
                               static_cast<std::uint64_t>(std::min(a, b)));
  else {
    auto const x = static_cast<double>(a), y = static_cast<double>(b);
    return x == y ? 0 : std::fabs(x - y);
  }
}
template <class A, class B>
double distance(std::complex<A> const& a, std::complex<B> const& b) {
  return a == b ? 0 : std::abs(std::complex<double>(a) - std::complex<double>(b));
}

/// Calls f(element number, a's element...) for the elements of tensors of equal sizes.
template <class F, class First, class... Rest>
void for_each_element(F const& f, First const& first, Rest const&... rest) {
  for (std::int64_t i = 0; i < first.size(); ++i) f(i, first.data()[i], rest.data()[i]...);
}

}  // namespace tenon::internal::testing
