// The functions of tenon/elementwise.hpp, by the checks of all ops.

#include <tenon/elementwise.hpp>

#include "gradients.hpp"
#include "integers.hpp"
#include "unary_values.hpp"

namespace elementwise_test {

using namespace every_op;

namespace {

/// All pairs of special arguments. (A cancelling sum of `logaddexp` is exact to its larger term.)
template <class Op, class T>
void binary_values() {
  Verdict verdict(claim<Op, T, Cpu>("pairs"));
  std::vector<T> const all = numbers<T>();
  auto const size = static_cast<std::int64_t>(all.size());
  for (std::int64_t shift = 0; shift < size; ++shift) {
    std::vector<T> const a = cycle(all, size), b = cycle(all, size, shift);
    auto const y = eval(map<Op>(vector_of<T, Cpu>(a), vector_of<T, Cpu>(b)));
    verdict.record(y);
    for (std::int64_t i = 0; i < size; ++i) {
      T const p = a[static_cast<std::size_t>(i)], q = b[static_cast<std::size_t>(i)];
      Wide const expected = Op::reference(Wide(p), Wide(q));
      Wide const lost = std::same_as<Op, op::LogAddExp> ? std::fabs(Wide(p)) + 1 : 0;
      bool const is_near =
          std::fabs(y(i) - expected) <= 4 * lost * std::numeric_limits<T>::epsilon();
      std::string const where = "f(" + std::to_string(p) + ", " + std::to_string(q) + ")";
      verdict.expect(is_near || agrees(y(i), expected, units_of<Op, T>()), where, i, y(i),
                     expected);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("the functions of elementwise.hpp have their values", T, float, double) {
  op::for_each(op::MoreUnary{}, []<class Op>() { unary_values<Op, T, Cpu>(); });
  op::for_each(op::MoreBinary{}, []<class Op>() { binary_values<Op, T>(); });
}

TEST_CASE("the functions of elementwise.hpp have the gradients of their references") {
  op::for_each(op::MoreUnary{}, []<class Op>() { unary_gradient<Op, Full, Cpu>(); });
  op::for_each(op::MoreBinary{}, []<class Op>() { binary_gradient<Op, Full, Full, Cpu>(); });
}

TEST_CASE("nan_to_num replaces NaN and infinities, whose gradient is zero") {
  float const most = std::numeric_limits<float>::max(),
              inf = std::numeric_limits<float>::infinity();
  Float32<"4"> const x = {NAN, inf, -inf, 2};
  Float32<"4"> const y = nan_to_num(x),
                     g = grad([](auto const& at) { return sum(nan_to_num(at)); })(x);
  for (int i = 0; i < 4; ++i) {
    CHECK(y(i) == std::array{0.0f, most, -most, 2.0f}[static_cast<std::size_t>(i)]);
    CHECK(g(i) == (i == 3 ? 1 : 0));
  }
}

TEST_CASE("polygamma functions have the values of SciPy, also below zero") {
  Float64<"6"> const x = {0.3, 1, 4.5, 30, -0.7, -3.2};
  auto const expect = [&](auto const& y, std::array<double, 6> const& expected) {
    for (int i = 0; i < 6; ++i)
      CHECK(y(i) == doctest::Approx(expected[static_cast<std::size_t>(i)]).epsilon(1e-13));
  };
  expect(eval(digamma(x)), {-3.5025242222001332, -0.57721566490153287, 1.3888709263595289,
                            3.3844381326855251, -2.0739527936287039, 5.6353702211726446});
  expect(eval(polygamma<2>(x)), {-75.272536588726041, -2.4041138063191885, -0.061556821321027695,
                                 -0.0011487652037285999, -69.441632798638537, 246.97615555546051});
  expect(eval(polygamma<3>(x)), {743.14176465504977, 6.4939394022668289, 0.030322508542366587,
                                 7.7860036647361296e-05, 768.13135232685261, 3768.5777610937344});
  expect(eval(polygamma<4>(x)), {-9883.4685554969892, -24.88626612344088, -0.022300753478290834,
                                 -7.9149413401810235e-06, -9740.6709116581042, 74935.483412054702});
}

TEST_CASE("the divisors of integers have their values") {
  op::for_each(op::DivisorsBinary{}, []<class Op>() {
    integer_values<Op, std::int32_t, Cpu>();
    integer_scalars<Op, std::uint8_t>();
    integer_scalars<Op, std::int64_t>();
  });
}

TEST_CASE_TEMPLATE("neighbours, powers of two and remainders are those of the C library", T, float,
                   double) {
  std::vector<T> const all = numbers<T>();
  for (T const x : all) {
    CHECK(op::IsPosInf::f(x) == (x == std::numeric_limits<T>::infinity()));
    CHECK(op::IsNegInf::f(x) == (x == -std::numeric_limits<T>::infinity()));
    for (T const y : all) {
      auto const expect = [&](T got, T expected) {
        CHECK(
            (std::memcmp(&got, &expected, sizeof(T)) == 0 || (got != got && expected != expected)));
      };
      expect(op::Nextafter::f(x, y), std::nextafter(x, y));
      if (std::fabs(y) < 5000)
        expect(op::Ldexp::f(x, std::trunc(y)), std::scalbn(x, static_cast<int>(y)));
      if (std::isfinite(x) && y != 0 && std::fabs(x) >= std::fabs(y))
        expect(std::copysign(op::long_remainder(std::fabs(x), std::fabs(y)), x), std::fmod(x, y));
    }
  }
}

TEST_CASE("functions of floating numbers in tensors and at compile time") {
  Float32<"3"> const x = {1, -2, 0}, y = {3, 4, -1};
  CHECK(to_string(lerp(x, y, 0.25f)) == "[ 1.5  -0.5  -0.25]");
  CHECK(to_string(lerp(x, y, Float32<"3">{0, 1, 0.5f})) == "[ 1.   4.  -0.5]");
  CHECK(to_string(ldexp(x, 3)) == "[  8. -16.   0.]");
  CHECK(to_string(isposinf(1 / x)) == "[False False  True]");
  CHECK(to_string(isneginf(-1 / x)) == "[False False  True]");
  CHECK(eval(nextafter(x, y))(1) == std::nextafter(-2.0f, 4.0f));
  static_assert(!WellFormed<decltype(nextafter(Float16<"3">(), Float16<"3">()))>);
  static_assert(op::Fmod::f(-7.5, 2.0) == -1.5);
  auto const g = grad([&](auto const& at) { return sum(lerp(at, y, at)); })(x);
  CHECK(to_string(g) == "[2. 9. 0.]");
  auto const h = grad([&](auto const& at) { return sum(ldexp(at, 3)); })(x);
  CHECK(to_string(h) == "[8. 8. 8.]");
}

}  // namespace elementwise_test
