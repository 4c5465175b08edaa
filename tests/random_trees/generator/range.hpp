#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

/// The known properties of the elements of a node: their range and their rounding error. Errors are
/// in units of the dtype's epsilon; they follow from the derivatives of the ops over the ranges of
/// their operands, to first order.
namespace trees {

struct Range {
  double low = 0;
  double high = 0;
  double error = 0;
  int bits = -1;  ///< Multiples of 2^-bits, computed without rounding; -1: rounded.

  double most() const { return std::max(std::fabs(low), std::fabs(high)); }
  bool is_exact() const { return bits >= 0; }
  bool excludes_zero() const { return low > 0.2 || high < -0.2; }
};

/// Bounds of the magnitude of an adjoint and of its rounding error.
struct Adjoint {
  double most = 0;
  double error = 0;
};

/// A range whose numbers are exact if 23 bits suffice.
inline Range range_of(double low, double high, double error, int bits) {
  Range result{low, high, error, bits};
  if (bits >= 0 && result.most() * std::ldexp(1.0, bits) > 0x1p23) result.bits = -1;
  if (result.bits < 0) result.error += result.most();
  return result;
}

/// The error of an elementary function in units of epsilon.
inline constexpr double roundings = 6;

using Function = std::function<double(double const*)>;

/// The largest first and second derivatives of f over a box, evaluated on a grid.
struct Derivatives {
  double low = 1e300, high = -1e300;
  double first[2] = {0, 0};
  double second[2][2] = {{0, 0}, {0, 0}};

  bool fine() const {
    return std::isfinite(low) && std::isfinite(high) && std::max(-low, high) < 2000 &&
           first[0] < 1000 && first[1] < 1000;
  }
};

inline double moved(Function const& f, double const* x, int i, double by_i, int j, double by_j) {
  double at[2] = {x[0], x[1]};
  at[i] += by_i;
  at[j] += by_j;
  return f(at);
}

inline void look(Derivatives& derivatives, Function const& f, double const* x, int arity) {
  double const h = 1e-4, y = f(x);
  derivatives.low = std::min(derivatives.low, y);
  derivatives.high = std::max(derivatives.high, y);
  for (int i = 0; i < arity; ++i) {
    double const derivative = (moved(f, x, i, h, i, 0) - moved(f, x, i, -h, i, 0)) / (2 * h);
    derivatives.first[i] = std::fmax(derivatives.first[i], 1.1 * std::fabs(derivative));
    for (int j = 0; j < arity; ++j) {
      double const change = moved(f, x, i, h, j, h) - moved(f, x, i, -h, j, h) -
                            moved(f, x, i, h, j, -h) + moved(f, x, i, -h, j, -h);
      double const second = std::fabs(change) / (4 * h * h);
      derivatives.second[i][j] = std::fmax(derivatives.second[i][j], 1.1 * second + 1e-6);
    }
    if (std::isnan(derivative)) derivatives.high = NAN;
  }
}

inline double between(Range const& range, int step, int steps) {
  return range.low + (range.high - range.low) * step / steps;
}

inline Derivatives derivatives_of(Function const& f, std::vector<Range> const& ranges) {
  int const steps = 24, arity = static_cast<int>(ranges.size());
  Derivatives derivatives;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= (arity == 2 ? steps : 0); ++j) {
      double const x[2] = {between(ranges[0], i, steps),
                           arity == 2 ? between(ranges[1], j, steps) : 0};
      look(derivatives, f, x, arity);
    }
  }
  double const margin = 0.02 * (derivatives.high - derivatives.low);
  derivatives.low -= derivatives.low > 0 ? std::min(margin, derivatives.low / 2) : margin;
  derivatives.high += margin;
  return derivatives;
}

}  // namespace trees
