// Examples of docs/functions/: integration and interpolation.

#include <doctest/doctest.h>

#include <tenon/integrate.hpp>
#include <tenon/interp.hpp>

namespace functions_numeric_test {

using namespace tenon;

TEST_CASE("integration and interpolation") {
  auto const decay = [](Float64<""> const& y, double, Float64<""> const& rate) {
    return -rate * y;
  };
  Float64<"time=3"> const times{0, 1, 2};
  auto const solution = odeint(decay, Float64<"">(1), times, Float64<"">(0.5));  // "time=3"
  CHECK(solution(2) == doctest::Approx(0.36787944));

  auto const area = quad([](QuadNodes const& x) { return x * x; }, 0, 3);
  CHECK(area.item() == doctest::Approx(9));

  Float64<"n=3"> const xp{0, 1, 2}, fp{0, 10, 0};
  CHECK(to_string(interp(Float64<"m=2">{0.5, 3}, xp, fp)) == "[5. 0.]");

  CubicSpline const spline = cubic_spline(xp, fp, SplineEnds::natural);
  CHECK(to_string(spline(xp)) == "[ 0. 10.  0.]");
  CHECK(spline(Float64<"m=1">{1}, 1)(0) == doctest::Approx(0));  // the derivative
}

}  // namespace functions_numeric_test
