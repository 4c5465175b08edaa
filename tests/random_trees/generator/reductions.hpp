#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "node.hpp"

/// Reductions and normalisations, and their effect on ranges. `n` elements are reduced to one.
namespace trees {

struct ReductionNode {
  std::string name;
  bool drops = true;      ///< One result per group; otherwise one per element.
  bool has_kink = false;  ///< The operand must be exact, so that all dtypes are on the same side.
  Range (*forward)(Range const& x, double n);
  Adjoint (*backward)(Range const& x, Adjoint const& dy, double n);
};

inline Range sum_range(Range const& x, double n) {
  Range result = range_of(n * x.low, n * x.high, n * x.error, x.bits);
  if (!result.is_exact()) result.error += n * result.most();
  return result;
}

inline Range mean_range(Range const& x, double n) {
  return {x.low, x.high, x.error + (n + 2) * x.most()};
}

/// At most a quarter of the square of the width of the range.
inline Range variance_range(Range const& x, double n) {
  double const width = x.high - x.low, error = 2 * x.error + (n + 4) * x.most();
  return {0, width * width / 4, 2 * width * error + (n + 4) * width * width};
}

inline Range logsumexp_range(Range const& x, double n) {
  double const low = x.low + std::log(n), high = x.high + std::log(n);
  return {low, high, 3 * x.error + 2 * x.most() + roundings + n + std::fmax(-low, high)};
}

inline Range softmax_range(Range const& x, double n) {
  double const high = 1 / (1 + (n - 1) * std::exp(x.low - x.high));
  double const low = 1 / (1 + (n - 1) * std::exp(x.high - x.low));
  return {low, high, high * (2 * x.error + 2 * x.most() + 2 * roundings + n)};
}

inline Range log_softmax_range(Range const& x, double n) {
  Range const sum = logsumexp_range(x, n);
  return {x.low - sum.high, 0, x.error + sum.error + 2 * sum.most()};
}

inline std::vector<ReductionNode> const& reductions() {
  auto const same = [](Range const& x, double) { return x; };
  auto const passed = [](Range const&, Adjoint const& dy, double) {
    return Adjoint{dy.most, dy.error + 2 * dy.most};
  };
  static std::vector<ReductionNode> const all{
      {"sum", true, false, sum_range, passed},
      {"max", true, true, same, passed},
      {"min", true, true, same, passed},
      {"mean", true, false, mean_range,
       [](Range const&, Adjoint const& dy, double n) {
         return Adjoint{dy.most / n, (dy.error + 3 * dy.most) / n};
       }},
      {"var", true, false, variance_range,
       [](Range const& x, Adjoint const& dy, double n) {
         double const derivative = 2 * (x.high - x.low) / n;
         double const error = (4 * x.error + (2 * n + 8) * x.most()) / n;
         return Adjoint{derivative * dy.most,
                        derivative * dy.error + dy.most * (error + 4 * derivative)};
       }},
      {"logsumexp", true, false, logsumexp_range,
       [](Range const& x, Adjoint const& dy, double n) {
         Range const share = softmax_range(x, n);
         return Adjoint{share.high * dy.most, share.high * dy.error + 2 * dy.most * share.error};
       }},
      {"softmax", false, false, softmax_range,
       [](Range const& x, Adjoint const& dy, double n) {
         Range const y = softmax_range(x, n);
         double const around = dy.error + (n + 4) * dy.most;
         return Adjoint{2 * y.high * dy.most,
                        2 * y.high * around + 4 * dy.most * (y.error + n * y.error)};
       }},
      {"log_softmax", false, false, log_softmax_range,
       [](Range const& x, Adjoint const& dy, double n) {
         Range const y = softmax_range(x, n);
         double const derivative = 1 + n * y.high;
         return Adjoint{derivative * dy.most,
                        derivative * (dy.error + (n + 4) * dy.most) + 2 * n * dy.most * y.error};
       }},
  };
  return all;
}

inline double reduced(std::vector<Axis> const& axes, Sizes const& sizes) {
  return count(axes, sizes);
}

/// Reduces along these axes. Over no elements only the sum is used.
inline Analysis analysis_of(ReductionNode const& reduction, std::vector<Axis> const& axes) {
  Analysis analysis;
  analysis.forward = [reduction, axes](Ranges const& x,
                                       Sizes const& sizes) -> std::optional<Range> {
    double const n = reduced(axes, sizes);
    if (reduction.has_kink && !x[0].is_exact()) return {};
    if (n == 0 && reduction.name != "sum") return {};
    return reduction.forward(x[0], n);
  };
  analysis.backward = [reduction, axes](Ranges const& x, Adjoint const& dy, Sizes const& sizes) {
    double const n = std::fmax(1, reduced(axes, sizes));
    return std::vector<Adjoint>{reduction.backward(x[0], dy, n)};
  };
  return analysis;
}

}  // namespace trees
