#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include <tenon/numeric/draws/sequence.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/op/shifted.hpp>

/// One number of a continuous distribution, in `double`. Each struct has the name of its function,
/// `takes`, whether parameters are in their range, and `expected`, the text of that. A draw with
/// parameters outside it is NaN.
namespace tenon::internal::random {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr bool is_positive(double x) { return x > 0 && x < infinite; }

/// The logarithm of a number of the gamma distribution with a shape >= 1 and rate 1. G. Marsaglia,
/// W. Tsang, "A simple method for generating gamma variables", 2000.
constexpr double log_gamma_above_one(Sequence& numbers, double shape) {
  double const d = shape - 1.0 / 3, c = 1 / op::sqrt(9 * d);
  for (;;) {
    double const z = numbers.normal(), t = c * z;
    if (t <= -1) continue;
    // log(v) of Marsaglia and Tsang is 3 log(1 + t); 1 - v + log(v) without cancellation.
    double const log_v = op::Log1p::f(t), gap = 3 * (log_v - t) - t * t * (3 + t);
    double const u = numbers.uniform(), square = z * z;
    // The first comparison implies the second one, and spares a logarithm.
    if (u < 1 - 0.0331 * square * square || op::Log::f(u) < square / 2 + d * gap)
      return op::Log::f(d) + 3 * log_v;
  }
}

/// The same for any shape above zero: below one, the gamma distribution of shape + 1 times
/// u^(1 / shape). The logarithm has no underflow where the shape is small.
constexpr double log_gamma_draw(Sequence& numbers, double shape) {
  if (!is_positive(shape)) return not_a_number;
  if (shape >= 1) return log_gamma_above_one(numbers, shape);
  double const power = op::Log::f(numbers.uniform()) / shape;
  return log_gamma_above_one(numbers, shape + 1) + power;
}

struct LogGammaDraw {
  static constexpr std::string_view name = "log_gamma";
  static constexpr double of(Sequence& numbers, double shape) {
    return log_gamma_draw(numbers, shape);
  }
};

struct GammaDraw {
  static constexpr std::string_view name = "gamma", form = "gamma<R>(Key(42), 2.0, n)",
                                    expected = "a finite shape above 0";
  static constexpr bool takes(double shape) { return is_positive(shape); }
  static constexpr double of(Sequence& numbers, double shape) {
    return op::Exp::f(log_gamma_draw(numbers, shape));
  }
};

/// x / (x + y) of two gamma draws, from the logarithm of their ratio.
struct BetaDraw {
  static constexpr std::string_view name = "beta", form = "beta<R>(Key(42), 2.0, 3.0, n)",
                                    expected = "two finite shapes above 0";
  static constexpr bool takes(double a, double b) { return is_positive(a) && is_positive(b); }
  static constexpr double of(Sequence& numbers, double a, double b) {
    double const x = log_gamma_draw(numbers, a), y = log_gamma_draw(numbers, b);
    return op::Sigmoid::f(x - y);
  }
};

/// z / sqrt(g / (df / 2)) of a normal draw and a gamma draw of shape df / 2.
struct StudentTDraw {
  static constexpr std::string_view name = "student_t", form = "student_t<R>(Key(42), 5.0, n)",
                                    expected = "finite degrees of freedom above 0";
  static constexpr bool takes(double df) { return is_positive(df); }
  static constexpr double of(Sequence& numbers, double df) {
    double const z = numbers.normal(), log_gamma = log_gamma_draw(numbers, df / 2);
    return z * op::Exp::f((op::Log::f(df / 2) - log_gamma) / 2);
  }
};

/// Normal draws between bounds of which none is far from zero.
constexpr double normal_between(Sequence& numbers, double low, double high) {
  for (;;) {
    double const z = numbers.normal();
    if (z >= low && z <= high) return z;
  }
}

/// Uniform draws between bounds, accepted by their density relative to that at `mode`.
constexpr double uniform_between(Sequence& numbers, double low, double high, double mode) {
  for (;;) {
    double const z = low + (high - low) * numbers.uniform();
    if (op::Log::f(numbers.uniform()) <= (mode - z) * (mode / 2 + z / 2)) return z;
  }
}

/// sqrt(x^2 + 4) without overflow.
constexpr double root_of_square_plus_four(double x) { return x > 1e9 ? x : op::sqrt(x * x + 4); }

/// Exponential draws above a positive bound, of the rate that is accepted most often.
constexpr double tail_between(Sequence& numbers, double low, double high) {
  double const rate = low / 2 + root_of_square_plus_four(low) / 2;
  for (;;) {
    double const z = low - op::Log::f(numbers.uniform()) / rate, gap = z - rate;
    if (z <= high && op::Log::f(numbers.uniform()) <= -gap * gap / 2) return z;
  }
}

/// The largest width of an interval from a positive bound for which uniform draws are accepted more
/// often than exponential ones.
constexpr double uniform_width(double low) {
  double const root = root_of_square_plus_four(low);
  return op::Exp::f(0.5 + low * (low - root) / 4) / (low / 2 + root / 2);
}

/// A normal draw between bounds, exact for all: C. Robert, "Simulation of truncated normal
/// variables", 1995.
constexpr double truncated_normal_draw(Sequence& numbers, double low, double high) {
  if (high < 0) return -truncated_normal_draw(numbers, -high, -low);
  if (low <= 0) {
    if (high - low > 2.5) return normal_between(numbers, low, high);
    return uniform_between(numbers, low, high, 0);
  }
  if (high - low <= uniform_width(low)) return uniform_between(numbers, low, high, low);
  return tail_between(numbers, low, high);
}

struct TruncatedNormalDraw {
  static constexpr std::string_view name = "truncated_normal",
                                    form = "truncated_normal<R>(Key(42), -2, 2, n)",
                                    expected =
                                        "bounds low <= high, of which the low one is below "
                                        "infinity and the high one above -infinity";
  static constexpr bool takes(double low, double high) {
    return low <= high && low < infinite && high > -infinite;
  }
  static constexpr double of(Sequence& numbers, double low, double high) {
    if (!takes(low, high)) return not_a_number;
    return low == high ? low : truncated_normal_draw(numbers, low, high);
  }
};

}  // namespace tenon::internal::random
