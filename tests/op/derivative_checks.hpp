#pragma once

#include <functional>

#include "checks.hpp"

namespace checks {

using namespace tenon::internal;

/// The derivative of a function by central differences with two step sizes, extrapolated (error
/// h^4); NaN where the one-sided derivatives differ: at a kink, a limit of the domain, or a jump.
template <class F>
double difference(F f, double x) {
  double const h = 1e-3 * std::fmax(1e-2, std::fabs(x));
  double const left = (f(x) - f(x - h)) / h, right = (f(x + h) - f(x)) / h;
  double const size = std::fabs(left) + std::fabs(right);
  if (!(std::fabs(left - right) <= 0.05 * size + 1e-4)) return std::nan("");
  double const wide = (f(x + h) - f(x - h)) / (2 * h);
  double const narrow = (f(x + h / 2) - f(x - h / 2)) / h;
  return (4 * narrow - wide) / 3;
}

/// The points at which derivatives are compared: no op is constant or overflows at all of them.
inline std::vector<double> smooth_points() {
  std::vector<double> all;
  for (int i = -40; i <= 40; ++i) all.push_back(i * 0.1875 + 0.03125);
  return all;
}

inline void compare_derivative(Mistakes& found, std::string const& where, double got,
                               double expected) {
  if (std::isnan(expected)) return;
  if (std::fabs(got - expected) <= 1e-6 * (std::fabs(expected) + 1e-3)) return;
  found.push_back(joined_text("d", where, " is ", got, ", by differences ", expected));
}

/// The derivative against central differences of the op, in double.
template <class Op>
Mistakes derivative_mistakes() {
  Mistakes found;
  using tenon::op::backward_of;
  for (double a : smooth_points()) {
    if constexpr (!Table<Op, double>::binary) {
      double const d = backward_of(Op::d(a, Op::f(a)).p0, 1.0);
      double const expected = difference([](double x) { return Op::f(x); }, a);
      compare_derivative(found, joined_text(Op::name, "(", a, ")"), d, expected);
      continue;
    } else {
      for (double b : {-3.25, -1.0, -0.375, 0.59375, 1.0, 2.0, 4.0625}) {
        auto const d = Op::d(a, b, Op::f(a, b));
        auto const where = joined_text(Op::name, "(", a, ", ", b, ") by ");
        compare_derivative(found, where + "the first", backward_of(d.p0, 1.0),
                           difference([&](double x) { return Op::f(x, b); }, a));
        compare_derivative(found, where + "the second", backward_of(d.p1, 1.0),
                           difference([&](double x) { return Op::f(a, x); }, b));
      }
    }
  }
  return found;
}

template <class V>
auto partials_at(auto op, V a, V b) {
  using Op = decltype(op);
  if constexpr (requires { Op::f(a, b); }) return Op::d(a, b, Op::f(a, b));
  else return Op::d(a, Op::f(a));
}

/// The derivative in lanes against the scalar one, at all values.
template <class Op, class T>
Mistakes derivative_lane_mistakes() {
  Mistakes found;
  using tenon::op::backward_of;
  auto const all = table<Op, T>();
  for (std::size_t i = 0; i < all.a.size(); ++i) {
    T const a = all.a[i], b = all.b.empty() ? T(0) : all.b[i];
    auto const scalar = partials_at(Op{}, a, b);
    auto const lanes = partials_at(Op{}, Lanes<T>(a), Lanes<T>(b));
    auto const compare = [&](auto one, auto several) {
      T const expected = backward_of(one, T(0.75));
      T const got = backward_of(several, Lanes<T>(T(0.75))).lane(lane_count - 1);
      if (distance(got, expected) < 4) return;
      found.push_back(
          joined_text("d", Op::name, "(", a, ", ", b, "): ", got, ", scalar ", expected));
    };
    compare(scalar.p0, lanes.p0);
    if constexpr (Table<Op, T>::binary) compare(scalar.p1, lanes.p1);
  }
  return found;
}

}  // namespace checks
