#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

/// How far an op may be from its exact value.
namespace accuracy {

/// In units in the last place.
struct Bound {
  std::string_view name;
  double of_float;
  double of_double;
};

/// Computed in double and then rounded: nearly always correctly.
inline constexpr double half = 0.501;

/// Where JAX has the function: what it publishes for the CPU (docs.jax.dev, "Numerical accuracy",
/// reviewed on 2026-09-18), or 4 where that is more, and that with gradual underflow, which JAX has
/// not. In double it takes log, sin, cos and tan from the C library, which is nearer to a half
/// (0.5) than we are. Ops that are not listed are rounded correctly.
inline constexpr Bound bounds[] = {
    {"rsqrt", 2, 1.5},  {"exp", 1.5, 2},    {"log", 1.5, 1},  {"expm1", 6.5, 4.5},
    {"log1p", 3, 2},    {"tanh", 5, 7},     {"erf", 7, 2.5},  {"sigmoid", 2.5, 3.5},
    {"sin", half, 2.5}, {"cos", half, 2.5}, {"tan", half, 4}, {"atan", 4, 3.5},
    {"asin", 2, 1.5},   {"acos", 1.5, 1.5}, {"sinh", 4, 4},   {"cosh", 4, 4},
    {"softplus", 4, 4}, {"silu", 4, 4},     {"gelu", 4, 4},   {"gelu_tanh", 4, 4},
};

template <class T>
double bound_of(std::string_view name) {
  auto const* const found = std::find_if(std::begin(bounds), std::end(bounds),
                                         [&](Bound const& bound) { return bound.name == name; });
  if (found == std::end(bounds)) return 0.5;
  return sizeof(T) == 4 ? found->of_float : found->of_double;
}

}  // namespace accuracy
