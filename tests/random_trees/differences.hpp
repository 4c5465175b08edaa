#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "filler.hpp"

/// Derivatives computed from values only, without any rule of differentiation.
namespace trees {

/// A pseudo-random number between -1 and 1 for every element of the floating leaves.
inline double direction(std::size_t i) { return std::sin(12.9898 * static_cast<double>(i) + 1); }

/// The leaves after a step along the direction.
template <class Leaves>
Leaves moved(Leaves leaves, double step) {
  std::size_t i = 0;
  auto const move = [&](auto& x) {
    auto* const to = x.mutable_data();
    for (std::int64_t at = 0; at < x.size(); ++at) to[at] += step * direction(i++);
  };
  std::apply([&](auto&... x) { (move(x), ...); }, leaves.floating());
  return leaves;
}

inline double along_direction(std::vector<Numbers> const& gradients) {
  double sum = 0;
  std::size_t i = 0;
  for (Numbers const& gradient : gradients)
    for (double derivative : gradient) sum += derivative * direction(i++);
  return sum;
}

/// The weighted sum of the elements of a value, with its adjoint as weights.
template <TensorType E>
double weighed(E const& value) {
  Numbers const y = numbers(value), dy = numbers(adjoint_like(value));
  return std::inner_product(y.begin(), y.end(), dy.begin(), 0.0);
}

/// The derivative of `f` at zero by central differences with two step sizes. NaN if they disagree,
/// which indicates a kink.
template <class F>
double difference_of(F const& f) {
  double const step = 1e-5;
  double const wide = (f(2 * step) - f(-2 * step)) / (4 * step);
  double const narrow = (f(step) - f(-step)) / (2 * step);
  bool const agree = std::fabs(wide - narrow) <= 1e-4 * std::max(1.0, std::fabs(narrow));
  return agree ? narrow : NAN;
}

}  // namespace trees
