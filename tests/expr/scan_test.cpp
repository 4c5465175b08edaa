#include <functional>

#include <tenon/autodiff/higher_order.hpp>

#include "../every_op/reductions.hpp"

namespace scan_test {

using namespace every_op;

namespace {

/// The scan of every group, by the definition.
template <class F>
Numbers running(Numbers const& x, F const& f) {
  Numbers result;
  for (Wide const value : x) result.push_back(result.empty() ? value : f(result.back(), value));
  return result;
}

struct CumsumOf {
  static constexpr std::string_view name = "cumsum";
  static constexpr bool is_reduction = false;
  static Numbers of(Numbers const& x) { return running(x, std::plus<Wide>()); }
};

struct CumprodOf {
  static constexpr std::string_view name = "cumprod";
  static constexpr bool is_reduction = false;
  static Numbers of(Numbers const& x) { return running(x, std::multiplies<Wide>()); }
};

}  // namespace

TEST_CASE_TEMPLATE("cumsum and cumprod are correct along every axis, with their gradients", D, Cpu,
                   Reference) {
  check_groups<CumsumOf, D>("c", [](auto const& x) { return cumsum<"c">(x); });
  check_groups<CumsumOf, D>("b", [](auto const& x) { return cumsum<1>(x); });
  check_groups<CumsumOf, D>("a", [](auto const& x) { return cumsum<"a">(x); });
  check_groups<CumprodOf, D>("c", [](auto const& x) { return cumprod<-1>(x); });
  check_groups<CumprodOf, D>("b", [](auto const& x) { return cumprod<"b">(x); });
}

TEST_CASE("the derivative of cumprod is correct at zeros") {
  Float64<"4"> const x{2, 0, 3, 0}, dy{1, 10, 100, 1000};
  auto const derivative = grad([&](auto const& v) { return sum(dy * cumprod<0>(v)); })(x);
  CHECK(derivative(0) == 1);
  CHECK(derivative(1) == 2 * (10 + 3 * 100));
  CHECK(derivative(2) == 0);
  CHECK(derivative(3) == 0);
}

TEST_CASE("second derivatives of cumprod are correct") {
  Float64<"4"> const x{2, 0, 3, -1}, dy{1, 10, 100, 1000}, u{3, -2, 5, 7};
  auto const loss = [&](auto const& v) { return sum(dy * cumprod<0>(v)); };
  Float64<"4"> const above = x + 1e-4 * u, below = x - 1e-4 * u;
  Float64<"4"> const expected = (grad(loss)(above) - grad(loss)(below)) / 2e-4;
  CHECK(allclose(hvp(loss, x, u), expected));
}

TEST_CASE("scans of many floats keep their accuracy") {
  auto const sums = cumsum<"n">(full<Float32<"n">>(0.1f, 1000000));
  CHECK(sums(999999) == doctest::Approx(100000.0).epsilon(1e-7));
}

TEST_CASE("scans along many rows are split into chunks and interleaved") {
  auto const x = iota<Int32<"100 600">>();
  CHECK(all(slice<0, 99, 100>(cumsum<0>(x)) == sum<0>(x, keep)).item());
  CHECK(all(slice<1, 599, 600>(cumsum<1>(x)) == sum<1>(x, keep)).item());
}

TEST_CASE("integers accumulate in 64 bits; NaN propagates to the end") {
  Tensor<std::int8_t, "3"> const x{100, 27, 1};
  CHECK(cumsum<0>(x)(2) == 128);
  CHECK(cumsum<0>(Tensor<std::uint64_t, "2">{~std::uint64_t{0}, 2})(1) == 1);
  CHECK(cumprod<0>(Int32<"3">{2, -3, 4})(2) == -24);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const sums = cumsum<0>(Float64<"3">{1, nan, 2});
  CHECK(sums(0) == 1);
  CHECK(std::isnan(sums(2)));
}

}  // namespace scan_test
