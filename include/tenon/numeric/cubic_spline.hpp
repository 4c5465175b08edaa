#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/eval/custom.hpp>
#include <tenon/numeric/interp.hpp>

/// Cubic splines through points of a line.
namespace tenon {

/// What holds at the first and the last point of a spline: its third derivative is continuous at
/// their neighbours, its second derivative is zero, its first derivative is zero. SciPy: `bc_type`.
enum class SplineEnds { not_a_knot, natural, clamped };

}  // namespace tenon

namespace tenon::internal::spline {

struct SplineName {
  static constexpr std::string_view name = "cubic_spline";
};

/// A row of the tridiagonal system for the derivatives s at the points:
/// lower s[i-1] + main s[i] + upper s[i+1] = right
struct Row {
  double lower = 0, main = 0, upper = 0, right = 0;
};

/// The solution of the equations without pivots, or that of the transposed matrix: all are
/// positive, as those of the inner rows dominate and the outer ones follow from them.
template <class Rows>
std::vector<double> solve_rows(Rows rows) {
  std::vector<double> s(rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    double const factor = rows[i].lower / rows[i - 1].main;
    rows[i].main -= factor * rows[i - 1].upper;
    rows[i].right -= factor * rows[i - 1].right;
  }
  for (std::size_t i = rows.size(); i-- > 0;) {
    double const after = i + 1 < rows.size() ? rows[i].upper * s[i + 1] : 0;
    s[i] = (rows[i].right - after) / rows[i].main;
  }
  return s;
}
template <class Rows>
Rows transpose_rows(Rows const& rows, std::vector<double> const& right) {
  Rows result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double const lower = i > 0 ? rows[i - 1].upper : 0;
    double const upper = i + 1 < rows.size() ? rows[i + 1].lower : 0;
    result[i] = {lower, rows[i].main, upper, right[i]};
  }
  return result;
}

/// The intervals of the points: their lengths h, and the quotients m of differences.
template <class T>
struct Intervals {
  SplineEnds ends;
  std::vector<double> h{}, m{};

  Intervals(T const* x, T const* y, std::size_t n, SplineEnds which) : ends(which) {
    for (std::size_t i = 0; i + 1 < n; ++i) {
      h.push_back(static_cast<double>(x[i + 1]) - static_cast<double>(x[i]));
      if (!(h.back() > 0)) fail<ValueError>({SplineName::name, "xp", "ascending points", {}, {}});
      m.push_back((static_cast<double>(y[i + 1]) - static_cast<double>(y[i])) / h.back());
    }
  }

  std::size_t points() const { return h.size() + 1; }

  /// Carl de Boor, "A Practical Guide to Splines", chapter IV.
  std::vector<Row> rows() const {
    std::vector<Row> rows{first_row(0, 1)};
    for (std::size_t i = 1; i < h.size(); ++i)
      rows.push_back(
          {h[i], 2 * (h[i - 1] + h[i]), h[i - 1], 3 * (h[i] * m[i - 1] + h[i - 1] * m[i])});
    Row last = first_row(h.size() - 1, h.size() - 2);
    std::swap(last.lower, last.upper);
    rows.push_back(last);
    return rows;
  }

  /// The adjoints of x and y, from the derivatives s at the points and their adjoints ds.
  std::pair<std::vector<double>, std::vector<double>> adjoints(
      std::vector<double> const& s, std::vector<double> const& ds) const {
    auto const w = solve_rows(transpose_rows(rows(), ds));
    std::vector<double> dh(h.size()), dm(h.size()), dx(points()), dy(points());
    add_of_end(w[0], s[0], s[1], 0, 1, dh, dm);
    for (std::size_t i = 1; i < h.size(); ++i) {
      dh[i] += w[i] * (3 * m[i - 1] - s[i - 1] - 2 * s[i]);
      dh[i - 1] += w[i] * (3 * m[i] - s[i + 1] - 2 * s[i]);
      dm[i - 1] += w[i] * 3 * h[i];
      dm[i] += w[i] * 3 * h[i - 1];
    }
    std::size_t const last = h.size() - 1;
    add_of_end(w[last + 1], s[last + 1], s[last], last, last - 1, dh, dm);
    for (std::size_t i = 0; i < h.size(); ++i) {
      double const by_length = dh[i] - dm[i] * m[i] / h[i], by_value = dm[i] / h[i];
      dx[i + 1] += by_length, dx[i] -= by_length;
      dy[i + 1] += by_value, dy[i] -= by_value;
    }
    return {dx, dy};
  }

 private:
  /// The equation at an end whose interval is a, with the next one b. With two points a spline that
  /// is not a knot anywhere is a line, with three a parabola.
  Row first_row(std::size_t a, std::size_t b) const {
    if (ends == SplineEnds::clamped) return {0, 1, 0, 0};
    if (ends == SplineEnds::natural) return {0, 2, 1, 3 * m[a]};
    if (h.size() == 1) return {0, 1, 0, m[a]};
    if (h.size() == 2) return {0, 1, 1, 2 * m[a]};
    return {0, h[b], h[a] + h[b], right_of_end(a, b)};
  }
  double right_of_end(std::size_t a, std::size_t b) const {
    return ((3 * h[a] + 2 * h[b]) * h[b] * m[a] + h[a] * h[a] * m[b]) / (h[a] + h[b]);
  }

  /// Adds to the adjoints dh and dm those by the equation of an end point: w is the adjoint of its
  /// right-hand side, s the derivative there, `next` that at its neighbour.
  void add_of_end(double w, double s, double next, std::size_t a, std::size_t b,
                  std::vector<double>& dh, std::vector<double>& dm) const {
    if (ends == SplineEnds::clamped) return;
    if (ends == SplineEnds::natural || h.size() < 3) {
      dm[a] += w * (ends == SplineEnds::natural ? 3.0 : static_cast<double>(h.size()));
      return;
    }
    double const sum = h[a] + h[b], right = right_of_end(a, b);
    dm[a] += w * (3 * h[a] + 2 * h[b]) * h[b] / sum;
    dm[b] += w * h[a] * h[a] / sum;
    dh[a] += w * ((3 * h[b] * m[a] + 2 * h[a] * m[b] - right) / sum - next);
    dh[b] += w * (((3 * h[a] + 4 * h[b]) * m[a] - right) / sum - s - next);
  }
};

template <TensorType X>
std::vector<double> doubles_of(X const& x) {
  auto const here = moved_to<Cpu>(x);
  return std::vector<double>(here.data(), here.data() + here.size());
}
/// A tensor of the sizes of another, with other elements.
template <TensorType X>
X tensor_of(std::vector<double> const& numbers, X const& like) {
  using T = typename X::value_type;
  using Here = Tensor<T, X::spec, Cpu>;
  Here result = Here::uninitialised(like.sizes());
  T* to = result.own_memory();
  for (double const number : numbers) *to++ = static_cast<T>(number);
  return moved_to<typename X::device>(result);
}

template <TensorType Xp, TensorType Fp>
auto intervals_between(Xp const& xp, Fp const& fp, SplineEnds ends) {
  auto const x = moved_to<Cpu>(xp);
  auto const y = moved_to<Cpu>(fp);
  return Intervals<typename Xp::value_type>(x.data(), y.data(), static_cast<std::size_t>(x.size()),
                                            ends);
}

struct DerivativesBackward {
  SplineEnds ends;

  template <TensorType Xp, TensorType Fp>
  std::tuple<Xp, Fp> operator()(Fp const& ds, Fp const& s, Xp const& xp, Fp const& fp) const {
    if (any_recorded(ds, s, xp, fp))
      throw Error("tenon::cubic_spline: its derivatives by points have no further derivatives");
    auto const intervals = intervals_between(xp, fp, ends);
    auto const [dx, dy] = intervals.adjoints(doubles_of(s), doubles_of(ds));
    return {tensor_of(dx, xp), tensor_of(dy, fp)};
  }
};

}  // namespace tenon::internal::spline

namespace tenon {

/// A piecewise cubic function with continuous second derivatives, given by its values and first
/// derivatives at ascending points; `cubic_spline` makes it. A plain tree. SciPy: `CubicSpline`.
template <TensorType Xp, TensorType Fp>
struct CubicSpline {
  Xp points;
  Fp values;
  Fp derivatives;  ///< dy/dx at the points.

  /// The values at x, of any axes, or the derivatives of an order there. Outside of the points the
  /// outer cubics go on. Gradients reach x, points and values.
  template <Expression X>
    requires internal::SameDtype<internal::TensorOf<X>, Xp>
  auto operator()(X const& x, int order = 0) const {
    using namespace internal;
    using R = Unqualified<decltype(eval(x))>;
    if (order < 0)
      fail<ValueError>({"cubic_spline", "order", "0 or more", std::to_string(order), {}});
    R const at = eval(x);
    auto const below = intervals_of(at, points), above = eval(below + 1);
    R const left = take<0>(points, below), length = take<0>(points, above) - left, t = at - left;
    R const value = take<0>(values, below), derivative = take<0>(derivatives, below);
    R const mean = (take<0>(values, above) - value) / length;
    R const turn = (take<0>(derivatives, above) + derivative - 2 * mean) / length;
    R const bend = (mean - derivative) / length - turn;
    R const cubic[]{value, derivative, bend, turn / length};
    R result = zeros_like(at);
    for (int k = 3; k >= order; --k) {
      int factor = 1;
      for (int i = 0; i < order; ++i) factor *= k - i;
      result = result * t + factor * cubic[k];
    }
    return result;
  }
  template <Expression X>
    requires(!internal::SameDtype<internal::TensorOf<X>, Xp>)
  auto operator()(X const& x, int order = 0) const ->
      typename decltype(internal::dtype_mistake<internal::spline::SplineName, internal::TensorOf<X>,
                                                Xp>())::type;
};

}  // namespace tenon

namespace tenon::internal::spline {

template <Expression Xp, Expression Fp>
using SplineMistake =
    typename decltype(interp_mistake<SplineName, TensorOf<Xp>, TensorOf<Xp>, TensorOf<Fp>>())::type;

/// The cubic spline through the points (xp, fp), both "n", of one floating dtype, xp ascends:
/// `cubic_spline(xp, fp)(x)` has its values at x, of any axes, `cubic_spline(xp, fp)(x, 1)` its
/// derivatives. The derivatives at the points solve a tridiagonal system, in `double`, in O(n).
/// Gradients reach x, xp and fp; a second derivative by xp or fp throws `Error`. Throws
/// `ValueError` for fewer than two points and where xp does not ascend, `ShapeError` where xp and
/// fp differ in size. Carl de Boor, "A Practical Guide to Splines". SciPy:
/// `interpolate.CubicSpline`, `bc_type`.
template <Expression Xp, Expression Fp>
  requires std::is_void_v<SplineMistake<Xp const&, Fp const&>>
auto cubic_spline(Xp const& xp, Fp const& fp, SplineEnds ends = SplineEnds::not_a_knot) {
  using Points = TensorOf<Xp>;
  using Values = TensorOf<Fp>;
  Points const points = eval(xp);
  Values const values = eval(fp);
  if (values.size() != points.size())
    sizes_differ(SplineName::name, Values::shape, 0, points.size(), values.size());
  if (points.size() < 2) throw ValueError("tenon::cubic_spline: expected two points or more");
  auto const derivatives = [ends](Points const& x, Values const& y) {
    return tensor_of(solve_rows(intervals_between(x, y, ends).rows()), y);
  };
  return CubicSpline<Points, Values>{
      points, values, custom_vjp(derivatives, DerivativesBackward{ends})(points, values)};
}
template <Expression Xp, Expression Fp, class R = SplineMistake<Xp const&, Fp const&>>
  requires(!std::is_void_v<R>)
auto cubic_spline(Xp const& xp, Fp const& fp, SplineEnds ends = SplineEnds::not_a_knot) -> R;
template <class... X, class R = Refused<SplineName, X...>>
auto cubic_spline(X const&...) -> R;

}  // namespace tenon::internal::spline

namespace tenon {

using internal::spline::cubic_spline;

}  // namespace tenon
