#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/tape/leaves.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/reduction/reductions.hpp>

/// Integrals over an interval, by the rules of Gauss and Kronrod.
namespace tenon {

/// The error that `quad` allows, rtol |integral| or atol, and its most intervals.
struct QuadOptions {
  double rtol = 1e-10;
  double atol = 1e-12;
  std::int64_t max_intervals = 200;
};

/// The points in an interval at which `quad` calls a function.
using QuadNodes = Tensor<double, "node=15">;

}  // namespace tenon

namespace tenon::internal::quadrature {

/// The nodes of Kronrod's rule of 15 points that are not negative, with its weights and those of
/// Gauss's rule of 7, which are at every second one (QUADPACK, dqk15).
inline constexpr std::array<double, 8> nodes{
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691258610, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0};
inline constexpr std::array<double, 8> kronrod{
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
inline constexpr std::array<double, 4> gauss{
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

/// The place among the nodes that are not negative of one of all 15, ascending.
constexpr std::size_t place_of(std::size_t node) { return node < 8 ? node : 14 - node; }

/// The points of an interval, and the weights of both rules there.
struct Rules {
  QuadNodes points, kronrod_weights, gauss_weights;
};
inline Rules rules_of(double from, double to) {
  double const middle = (from + to) / 2, half = (to - from) / 2;
  Rules rules;
  for (std::size_t i = 0; i < 15; ++i) {
    std::size_t const k = place_of(i);
    auto const at = static_cast<std::int64_t>(i);
    rules.points(at) = middle + (i < 8 ? -half : half) * nodes[k];
    rules.kronrod_weights(at) = half * kronrod[k];
    rules.gauss_weights(at) = k % 2 == 1 ? half * gauss[k / 2] : 0;
  }
  return rules;
}

/// The value of a function at the nodes, summed with weights.
template <class Y>
auto weighted_sum(Y const& y, QuadNodes const& weights) {
  return eval(sum<"node">(y * weights));
}

/// The largest magnitude of the elements of a tensor, without its gradient.
template <class R>
double largest(R const& x) {
  return x.size() == 0 ? 0 : eval(max(abs(unmarked_leaves(x)))).item();
}

/// The integral over a part of an interval.
template <class R>
struct Part {
  double from, to;
  R value;
  double error;
};
template <class F>
auto part_of(F const& f, double from, double to) {
  Rules const rules = rules_of(from, to);
  auto const y = eval(f(rules.points));
  auto const value = weighted_sum(y, rules.kronrod_weights);
  auto const plain = unmarked_leaves(y);
  double const error = largest(
      eval(weighted_sum(plain, rules.kronrod_weights) - weighted_sum(plain, rules.gauss_weights)));
  return Part<std::remove_const_t<decltype(value)>>{from, to, value, error};
}

template <class R>
R total_of(std::vector<Part<R>> const& parts) {
  R total = parts.front().value;
  for (std::size_t i = 1; i < parts.size(); ++i) total = total + parts[i].value;
  return total;
}

/// Halves the part with the largest error.
template <class F, class R>
void halve_worst(F const& f, std::vector<Part<R>>& parts) {
  auto const worst = std::max_element(
      parts.begin(), parts.end(), [](auto const& a, auto const& b) { return a.error < b.error; });
  double const from = worst->from, to = worst->to, middle = (from + to) / 2;
  *worst = part_of(f, from, middle);
  parts.push_back(part_of(f, middle, to));
}

template <class R>
double error_of(std::vector<Part<R>> const& parts) {
  double error = 0;
  for (auto const& part : parts) error += part.error;
  return error;
}

template <class F>
concept Integrand = CallableWith<F const&, QuadNodes const&> &&
                    requires(F const& f, QuadNodes const& x) { eval(sum<"node">(f(x) * x)); };

/// The integral of f from `from` to `to`, of `float64`, by the rules of Gauss and Kronrod of 7 and
/// 15 points on halved intervals. f takes all points of an interval, `Float64<"node=15">`, and
/// returns its values there, of axes that contain this one; the integral has the others. The
/// gradient reaches what f captures, by the rule on the intervals that were chosen. Throws
/// `ValueError` where it does not converge. SciPy: `integrate.quad_vec`, `quad`.
template <class F>
  requires Integrand<F>
auto quad(F const& f, double from, double to, QuadOptions const& options = {}) {
  std::vector parts{part_of(f, from, to)};
  while (true) {
    auto const total = total_of(parts);
    double const error = error_of(parts), allowed = options.rtol * largest(total);
    if (error <= (std::max)(options.atol, allowed)) return total;
    if (static_cast<std::int64_t>(parts.size()) >= options.max_intervals || std::isnan(error))
      fail<ValueError>({"quad", {}, "convergence", "an error of " + std::to_string(error), {}});
    halve_worst(f, parts);
  }
}
template <class F>
  requires(!Integrand<F>)
auto quad(F const& f, double from, double to, QuadOptions const& options = {})
    -> error::function_does_not_take<"quad", QuadNodes>;

}  // namespace tenon::internal::quadrature

namespace tenon {

using internal::quadrature::quad;

}  // namespace tenon
