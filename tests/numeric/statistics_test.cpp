// Statistics against values of NumPy 2.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/statistics.hpp>

namespace statistics_test {

using namespace tenon;

namespace {

double const nan = std::nan("");
Float64<"row=2 t=5"> const x{{3, -1, 4, 1, 5}, {9, 2, 6, 5, 3}};
Float64<"row=2 t=3"> const gaps{{1, nan, 3}, {nan, nan, nan}};

bool is_nan(double number) { return number != number; }

}  // namespace

TEST_CASE("reductions skip NaN") {
  CHECK(to_string(nansum<"t">(gaps)) == "[4. 0.]");
  CHECK(nanmean<"t">(gaps)(0) == 2);
  CHECK(is_nan(nanmean<"t">(gaps)(1)));
  CHECK(nanmax<"t">(gaps)(0) == 3);
  CHECK(is_nan(nanmax<"t">(gaps)(1)));
  CHECK(nanmin<"t">(gaps)(0) == 1);
  CHECK(nansum(gaps).item() == 4);
  CHECK(shape_of<decltype(nanmax<"t">(gaps, keep))> == "row=2 t=1");
}

TEST_CASE("the gradient of a reduction without NaN is zero at NaN") {
  auto const g =
      grad([](auto const& at) { return sum(nanmean<"t">(at)); })(Float64<"t=3">{1, nan, 3});
  CHECK(to_string(g) == "[0.5 0.  0.5]");
}

TEST_CASE("reductions without NaN take 16-bit dtypes") {
  auto const half = to<float16>(Float32<"t=3">{-1, std::nanf(""), -2});
  CHECK(float(nanmax<"t">(half).item()) == -1);
  CHECK(float(nanmin<"t">(half).item()) == -2);
  CHECK(float(nansum<"t">(half).item()) == -3);
  CHECK(float(nanmean<"t">(half).item()) == -1.5f);
}

TEST_CASE("ranges, counts and averages") {
  CHECK(to_string(ptp<"t">(x)) == "[6. 7.]");
  CHECK(to_string(count_nonzero<"t">(Int32<"row=2 t=3">{{0, 1, 2}, {0, 0, -1}})) == "[2 1]");
  CHECK(average<"t">(x, Float64<"t=5">{1, 2, 3, 4, 5})(0) == doctest::Approx(42.0 / 15));
  CHECK(to_string(average<"t">(x, ones<Float64<"t=5">>())) == "[2.4 5. ]");
}

TEST_CASE("differences keep the name of the axis") {
  Float64<"row=2 t"> const y = as<"row=2 t">(x);
  CHECK(to_string(diff<"t">(x)) == "[[-4.  5. -3.  4.]\n [-7.  4. -1. -2.]]");
  CHECK(shape_of<decltype(diff<"t">(x))> == "row=2 t=4");
  CHECK(shape_of<decltype(diff<"t">(y))> == "row=2 t=t-1");
  CHECK(to_string(trapezoid<"t">(x, 0.5)) == "[4.  9.5]");
  CHECK(to_string(trapezoid<"t">(y, Float64<"t=5">{0, 1, 3, 4, 8})) == "[18.5 35. ]");
}

TEST_CASE("quantiles interpolate between sorted elements") {
  CHECK(to_string(median<"t">(x)) == "[3. 5.]");
  CHECK(to_string(median<"row">(x)) == "[6.  0.5 5.  3.  4. ]");
  CHECK(quantile<"t">(x, 0.3)(0) == doctest::Approx(1.4));
  CHECK(quantile<"t">(x, 0)(0) == -1);
  CHECK(quantile<"t">(x, 1)(1) == 9);
  CHECK(is_nan(median<"t">(gaps)(0)));
  CHECK(median<"t">(Float64<"t=1">{7.0}).item() == 7);
  CHECK_THROWS_WITH_AS(quantile<"t">(x, 1.5), doctest::Contains("tenon::quantile: 'q'"),
                       ValueError);
  CHECK_THROWS_AS(median<"t">(zeros<Float64<"t">>(0)), ValueError);
}

TEST_CASE("the gradient of a median is at the elements in the middle") {
  auto const g = grad([](auto const& at) { return median<"t">(at); })(Float64<"t=4">{3, -1, 4, 1});
  CHECK(to_string(g) == "[0.5 0.  0.  0.5]");
}

TEST_CASE("covariances and correlations of variables") {
  CHECK(cov<"t">(x)(0, 0) == doctest::Approx(5.8));
  CHECK(cov<"t">(x)(0, 1) == doctest::Approx(2.25));
  CHECK(cov<"t">(x, 0)(1, 1) == doctest::Approx(6));
  CHECK(corrcoef<"t">(x)(0, 1) == doctest::Approx(0.34114412));
  CHECK(cov<"t">(transpose(x))(1, 0) == cov<"t">(x)(0, 1));
  CHECK(shape_of<decltype(cov<"t">(x))> == "row=2 row=2");
}

}  // namespace statistics_test
