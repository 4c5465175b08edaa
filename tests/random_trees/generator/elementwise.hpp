#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "node.hpp"

/// Elementwise maps, and their effect on ranges.
namespace trees {

/// A unary or binary elementwise map.
struct Map {
  std::string text;
  double (*f)(double const*);
  int arity = 1;
  bool has_kink = false;  ///< Operands must be exact, so that all dtypes are on the same side.
  int bits = -1;          ///< Additional bits of an exact result; -1: it is rounded.
  bool multiplies = false;
};

inline double gate(double x) { return 1 / (1 + std::exp(-x)); }

inline std::vector<Map> const& unary_maps() {
  static std::vector<Map> const all{
      {"-$0", [](double const* x) { return -x[0]; }, 1, false, 0},
      {"square($0)", [](double const* x) { return x[0] * x[0]; }, 1, false, 0, true},
      {"($0 * 0.5)", [](double const* x) { return x[0] * 0.5; }, 1, false, 1},
      {"(1.25 - $0)", [](double const* x) { return 1.25 - x[0]; }, 1, false, 0},
      {"($0 + 3)", [](double const* x) { return x[0] + 3; }, 1, false, 0},
      {"abs($0)", [](double const* x) { return std::fabs(x[0]); }, 1, true, 0},
      {"relu($0)", [](double const* x) { return std::fmax(x[0], 0); }, 1, true, 0},
      {"sqrt($0)", [](double const* x) { return std::sqrt(x[0]); }},
      {"rsqrt($0)", [](double const* x) { return 1 / std::sqrt(x[0]); }},
      {"reciprocal($0)", [](double const* x) { return 1 / x[0]; }},
      {"exp($0)", [](double const* x) { return std::exp(x[0]); }},
      {"log($0)", [](double const* x) { return std::log(x[0]); }},
      {"expm1($0)", [](double const* x) { return std::expm1(x[0]); }},
      {"log1p($0)", [](double const* x) { return std::log1p(x[0]); }},
      {"softplus($0)", [](double const* x) { return std::log1p(std::exp(x[0])); }},
      {"tanh($0)", [](double const* x) { return std::tanh(x[0]); }},
      {"sigmoid($0)", [](double const* x) { return gate(x[0]); }},
      {"silu($0)", [](double const* x) { return x[0] * gate(x[0]); }},
      {"erf($0)", [](double const* x) { return std::erf(x[0]); }},
      {"gelu($0)", [](double const* x) { return x[0] * std::erfc(-x[0] * std::sqrt(0.5)) / 2; }},
      {"sin($0)", [](double const* x) { return std::sin(x[0]); }},
      {"cos($0)", [](double const* x) { return std::cos(x[0]); }},
  };
  return all;
}

inline std::vector<Map> const& binary_maps() {
  static std::vector<Map> const all{
      {"($0 + $1)", [](double const* x) { return x[0] + x[1]; }, 2, false, 0},
      {"($0 - $1)", [](double const* x) { return x[0] - x[1]; }, 2, false, 0},
      {"($0 * $1)", [](double const* x) { return x[0] * x[1]; }, 2, false, 0, true},
      {"($0 / $1)", [](double const* x) { return x[0] / x[1]; }, 2},
      {"max($0, $1)", [](double const* x) { return std::fmax(x[0], x[1]); }, 2, true, 0},
      {"min($0, $1)", [](double const* x) { return std::fmin(x[0], x[1]); }, 2, true, 0},
      {"pow($0, $1)", [](double const* x) { return x[0] > 0 ? std::pow(x[0], x[1]) : NAN; }, 2},
  };
  return all;
}

/// The number of fractional bits of an exact result.
inline int bits_of(Map const& map, Ranges const& x) {
  if (map.bits < 0) return -1;
  int bits = 0, sum = 0;
  for (Range const& range : x) {
    if (!range.is_exact()) return -1;
    bits = std::max(bits, range.bits);
    sum += range.bits;
  }
  return (map.multiplies ? (map.arity == 1 ? 2 * bits : sum) : std::max(bits, 2)) + map.bits;
}

inline Derivatives derivatives_of(Map const& map, Ranges const& x) {
  Derivatives derivatives = derivatives_of(Function(map.f), x);
  if (map.has_kink)
    derivatives.second[0][0] = derivatives.second[0][1] = derivatives.second[1][1] = 0;
  return derivatives;
}

inline bool in_domain(Map const& map, Ranges const& x) {
  if (map.text == "($0 / $1)") return x[1].excludes_zero();
  if (map.text == "reciprocal($0)") return x[0].excludes_zero();
  if (map.text.starts_with("log($0") || map.text.find("sqrt") != std::string::npos) {
    return x[0].low > 0.1;
  }
  if (map.text.starts_with("log1p")) return x[0].low > -0.8;
  if (map.text.starts_with("pow")) return x[0].low > 0.1 && x[0].high < 8 && x[1].most() < 4;
  if (!map.has_kink) return true;
  return x[0].is_exact() && (map.arity == 1 || x[1].is_exact());
}

inline Analysis analysis_of(Map const& map, Shape const& shape,
                            std::vector<Shape> const& operands) {
  Analysis analysis;
  analysis.forward = [map](Ranges const& x, Sizes const&) -> std::optional<Range> {
    if (!in_domain(map, x)) return {};
    Derivatives const derivatives = derivatives_of(map, x);
    if (!derivatives.fine()) return {};
    double error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) error += derivatives.first[i] * x[i].error;
    Range result = range_of(derivatives.low, derivatives.high, error, bits_of(map, x));
    if (map.bits < 0) result.error += (roundings - 1) * result.most();
    return result;
  };
  analysis.backward = [map, shape, operands](Ranges const& x, Adjoint const& dy,
                                             Sizes const& sizes) {
    Derivatives const derivatives = derivatives_of(map, x);
    std::vector<Adjoint> result;
    for (std::size_t i = 0; i < x.size(); ++i) {
      double derivative_error =
          map.bits < 0 ? roundings * (derivatives.first[i] + 1) : derivatives.first[i];
      for (std::size_t j = 0; j < x.size(); ++j)
        derivative_error += derivatives.second[i][j] * x[j].error;
      double const shared = count(shape, sizes) / std::max(1.0, 1.0 * count(operands[i], sizes));
      double const times = std::max(1.0, shared), one = derivatives.first[i] * dy.most;
      double const error = derivatives.first[i] * dy.error + dy.most * derivative_error;
      result.push_back({times * one, times * (error + times * one)});
    }
    return result;
  };
  return analysis;
}

}  // namespace trees
