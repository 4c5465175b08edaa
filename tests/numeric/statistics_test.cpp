// Statistics, scans and counts against values of NumPy 2 and PyTorch.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

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

TEST_CASE("cumulative extremes along any axis keep NaN") {
  CHECK(to_string(cummax<"t">(x)) == "[[3. 3. 4. 4. 5.]\n [9. 9. 9. 9. 9.]]");
  CHECK(to_string(cummin<"row">(x)) == "[[ 3. -1.  4.  1.  5.]\n [ 3. -1.  4.  1.  3.]]");
  CHECK(to_string(cummin<"t">(gaps)) == "[[ 1. nan nan]\n [nan nan nan]]");
  CHECK(cummax<"t">(zeros<Float64<"t">>(0)).size() == 0);
  Float64<"t"> const equal{2, 1, 2, 0};
  CHECK(to_string(grad([](auto const& at) { return sum(cummax<"t">(at)); })(equal)) ==
        "[2. 0. 2. 0.]");
}

TEST_CASE("cumulative sums of exponentials do not overflow, nor do their gradients") {
  double const inf = std::numeric_limits<double>::infinity();
  Float64<"t"> const high{-inf, 1000, 1000, -inf, 1001};
  auto const y = logcumsumexp<"t">(high);
  CHECK(y(0) == -inf);
  CHECK(y(1) == 1000);
  CHECK(y(3) == doctest::Approx(1000 + std::log(2)));
  CHECK(y(4) == doctest::Approx(1000 + std::log(2 + std::exp(1))));
  CHECK(is_nan(logcumsumexp<"t">(gaps)(0, 2)));
  CHECK(logcumsumexp<"t">(Float32<"t">{1, 2})(1) == doctest::Approx(2.3132617));
  auto const with_nan = grad([](auto const& at) { return sum(logcumsumexp<"t">(at)); })(gaps);
  CHECK(is_nan(with_nan(0, 0)));
  auto const loss = [](auto const& at) {
    return sum(logcumsumexp<"row">(at) * Float64<"row=2 t=5">{{1, -2, 3, 0, 5}, {2, 1, -1, 4, 1}});
  };
  auto const g = grad(loss)(x);
  double const last = std::exp(3 - std::log(std::exp(3) + std::exp(9)));
  CHECK(g(0, 0) == doctest::Approx(1 + 2 * last));
  CHECK(g(0, 1) == doctest::Approx(-2 + std::exp(-1) / (std::exp(-1) + std::exp(2))));
  CHECK(g(1, 2) == doctest::Approx(-std::exp(6) / (std::exp(6) + std::exp(4))));
  auto const of_infinite = grad([](auto const& at) { return sum(logcumsumexp<"t">(at)); })(high);
  CHECK(of_infinite(0) == 0);
  CHECK(of_infinite(1) == doctest::Approx(2 + 1 / (2 + std::exp(1))));
}

TEST_CASE("histograms count as those of NumPy do") {
  Float64<"n"> const some{0, 0.1, 0.25, 0.3, 0.99, 1, 1.01, -0.01, nan};
  CHECK(to_string(histogram<Int64<"bin=4">>(some, 0, 1)) == "[2 2 0 2]");
  CHECK(to_string(histogram<Int64<"bin">>(some, 0, 1, 10)) == "[1 1 2 0 0 0 0 0 0 2]");
  Float64<"edge"> const edges{0, 0.1, 0.5, 1, 1};
  auto const counts = histogram(some, edges);
  CHECK(to_string(counts) == "[1 3 1 1]");
  CHECK(shape_of<decltype(counts)> == "edge=edge-1");
  CHECK(to_string(histogram(Int32<"n">{1, 2, 2, 4}, Int32<"3">{1, 2, 4})) == "[1 3]");
  CHECK(to_string(histogram<Int64<"bin=3">>(Float32<"2">{0.1f, 0.3f}, 0, 0.3)) == "[0 1 1]");
  CHECK_THROWS_WITH_AS(histogram<Int64<"bin=4">>(some, 1, 1),
                       doctest::Contains("tenon::histogram: 'range'"), ValueError);
  CHECK_THROWS_WITH_AS(
      histogram(some, Float64<"2">{1, 0}),
      "tenon::histogram: 'edges': expected two or more in ascending order, got others", ValueError);
  CHECK_THROWS_AS((histogram<Int64<"bin=4">>(some, 0, 1, 5)), ShapeError);
}

TEST_CASE("integers are counted, and numbers are found in sorted ones") {
  Int32<"n"> const ids{2, 0, 2, 2};
  CHECK(to_string(bincount<Int64<"word=4">>(ids)) == "[1 0 3 0]");
  CHECK(to_string(bincount<Int32<"word">>(ids, 3)) == "[1 0 3]");
  CHECK_THROWS_AS(bincount<Int64<"word=2">>(ids), IndexError);
  Float64<"n"> const line{1, 2, 2, 5, nan};
  Float64<"row=2 3"> const at{{0, 2, 5}, {6, nan, 1}};
  CHECK(to_string(searchsorted(line, at)) == "[[0 1 3]\n [4 4 0]]");
  CHECK(to_string(searchsorted(line, at, SearchSide::right)) == "[[0 3 4]\n [4 5 1]]");
}

TEST_CASE("unique elements ascend, with their counts") {
  auto const [values, counts] = unique(Float64<"t">{3, nan, 1, 3, nan, -0.0, 0});
  CHECK(to_string(counts) == "[2 1 2 2]");
  CHECK(values(0) == 0);
  CHECK(values(2) == 3);
  CHECK(is_nan(values(3)));
  CHECK(shape_of<decltype(values)> == "t=_");
  CHECK(to_string(unique(Int32<"2 2">{{2, 1}, {1, 2}}).values) == "[1 2]");
  CHECK(unique(zeros<Float64<"t">>(0)).values.size() == 0);
}

TEST_CASE("a partition has smaller elements before the k-th and larger behind") {
  for (std::int64_t const k : {0, 2, 4}) {
    auto const parted = partition<"t">(x, k);
    for (int row = 0; row < 2; ++row) {
      CHECK(parted(row, k) == sort<"t">(x)(row, k));
      for (int i = 0; i < 5; ++i)
        CHECK((i < k ? parted(row, i) <= parted(row, k) : parted(row, i) >= parted(row, k)));
    }
  }
  CHECK(x(argpartition<"row">(x, 0)(1, 0), 0) == 9);
  CHECK_THROWS_AS(partition<"t">(x, 5), IndexError);
  auto const g = grad([](auto const& at) { return sum(slice<"t", 0, 1>(partition<"t">(at, 0))); });
  CHECK(to_string(g(Float64<"t">{3, 1, 2})) == "[0. 1. 0.]");
}

}  // namespace statistics_test
