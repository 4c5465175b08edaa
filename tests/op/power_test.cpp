#include "accuracy_verdict.hpp"

#include <tenon/op/power.hpp>

using namespace tenon::internal;

using namespace accuracy;
using tenon::op::Pow;

namespace {

constexpr int number_of_pairs = 400000;

/// Bases and exponents of all magnitudes, and pairs whose power is near the limit of the range.
template <class T>
std::vector<std::array<T, 2>> sample_of_pairs() {
  std::mt19937_64 random(1);
  auto const unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  double const reach = std::log(static_cast<double>(std::numeric_limits<T>::max()));
  std::vector<std::array<T, 2>> all;
  for (int i = 0; i < number_of_pairs; ++i) {
    double const spread = std::exp2(-unit() * 40);
    double const base = i % 2 == 0 ? 1 + (unit() - 0.5) * spread : std::exp((unit() - 0.5) * reach);
    double const size = i % 3 == 0 ? unit() : i % 3 == 1 ? 0.97 + 0.1 * unit() : unit() * 0.02;
    double const sign = i % 5 < 2 ? -1 : 1;
    all.push_back({static_cast<T>(base), static_cast<T>(sign * size * reach / std::log(base))});
  }
  return all;
}

template <class T>
constexpr T special[] = {0,
                         T(0.5),
                         1,
                         T(1.5),
                         2,
                         3,
                         T(3.5),
                         T(0x1p52),
                         T(0x1p53) - 1,
                         T(1e30),
                         std::numeric_limits<T>::denorm_min(),
                         std::numeric_limits<T>::max(),
                         std::numeric_limits<T>::infinity(),
                         std::numeric_limits<T>::quiet_NaN()};

/// The powers of one pair in all lanes; checks that every lane is the scalar result.
template <class T>
T power_in_every_lane(T a, T b, Worst& worst) {
  T const alone = Pow::f(a, b);
  auto const lanes = Pow::f(Lanes<T>(a), Lanes<T>(b));
  for (int i = 0; i < lane_count; ++i)
    worst.same_in_every_lane = worst.same_in_every_lane && accuracy::same(lanes.lane(i), alone);
  return alone;
}

/// The powers of consecutive pairs, one in each lane, beginning at another lane each time; checks
/// that every lane is the scalar result.
template <class T>
void look_at_powers(Worst& worst, std::array<T, 2> const* pairs, int first_lane) {
  T a[lane_count], b[lane_count];
  for (int i = 0; i < lane_count; ++i) {
    int const lane = (i + first_lane) % lane_count;
    a[lane] = pairs[i][0], b[lane] = pairs[i][1];
  }
  auto const lanes = Pow::f(Lanes<T>::load(a), Lanes<T>::load(b));
  for (int i = 0; i < lane_count; ++i) {
    T const got = lanes.lane(i);
    worst.same_in_every_lane = worst.same_in_every_lane && accuracy::same(got, Pow::f(a[i], b[i]));
    Exact<T> const exact = std::pow(static_cast<Exact<T>>(a[i]), static_cast<Exact<T>>(b[i]));
    worst.take(distance(got, exact), static_cast<double>(a[i]));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("powers are within two units in the last place, in every lane", T, float,
                   double) {
  Worst worst;
  auto const pairs = sample_of_pairs<T>();
  static_assert(number_of_pairs % lane_count == 0);
  for (int first = 0; first < number_of_pairs; first += lane_count)
    look_at_powers(worst, pairs.data() + first, first / lane_count % lane_count);
  MESSAGE("worst of pow: " << worst.units << " at a base of " << worst.at);
  CHECK(worst.units <= (error_bound<Pow, T>()));
  CHECK(worst.same_in_every_lane);
}

TEST_CASE("powers of float computed without double are within two units in the last place") {
  Worst worst;
  for (auto const& [a, b] : sample_of_pairs<float>())
    if (a != 1)
      worst.take(distance(tenon::op::power_by_pairs(a, b), std::pow(double(a), double(b))), a);
  MESSAGE("worst of pow by pairs of float: " << worst.units << " at a base of " << worst.at);
  CHECK(worst.units <= 2);
}

TEST_CASE_TEMPLATE("special cases of pow are those of C", T, float, double) {
  Worst worst;
  for (T const size_of_a : special<T>) {
    for (T const size_of_b : special<T>) {
      for (int signs = 0; signs < 4; ++signs) {
        T const a = signs % 2 == 0 ? size_of_a : -size_of_a;
        T const b = signs < 2 ? size_of_b : -size_of_b;
        T const expected = std::pow(a, b), got = power_in_every_lane(a, b, worst);
        bool const both_nan = expected != expected && got != got;
        bool const near = std::fabs(got - expected) <= std::fabs(expected) * T(1e-6);
        bool const as_c = std::isfinite(expected) && expected != 0 ? near : got == expected;
        CAPTURE(a);
        CAPTURE(b);
        CHECK((both_nan || (as_c && std::signbit(got) == std::signbit(expected))));
      }
    }
  }
  CHECK(worst.same_in_every_lane);
}

TEST_CASE("powers at compile time have the same accuracy") {
  constexpr double y = Pow::f(1.3515, -2325.6);
  CHECK(distance(y, std::pow(Exact<double>(1.3515), Exact<double>(-2325.6))) <= 1.5);
}
