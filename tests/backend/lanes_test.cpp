#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/op/list.hpp>

namespace lanes_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// Elements that differ in every lane.
template <class T>
std::vector<T> counted() {
  std::vector<T> all;
  for (int i = 0; i < 2 * lane_count; ++i) all.push_back(static_cast<T>(i + 1));
  return all;
}

/// Difficult conversions: halves, limits of the integer ranges, non-finite values.
template <class T>
std::vector<T> delicate() {
  double const infinite = std::numeric_limits<double>::infinity();
  std::vector<T> all;
  for (double x : {0.0,     -0.0,    1.0,          -1.0,         0.5,           -0.5,
                   1.5,     2.5,     -2.5,         -0.9,         127.0,         127.9,
                   128.0,   -128.5,  255.0,        256.0,        300.7,         32767.5,
                   65504.0, 65536.0, 2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0,
                   3e9,     -3e9,    9.3e18,       1e19,         -1e19,         2e19,
                   1e30,    1e-40,   1.0 / 3,      infinite,     -infinite,     std::nan("")}) {
    if constexpr (std::integral<T>) all.push_back(tenon::internal::intrinsics::convert<T>(x));
    else all.push_back(static_cast<T>(x));
  }
  while (all.size() % static_cast<std::size_t>(lane_count) != 0) all.push_back(static_cast<T>(7));
  return all;
}

/// The inputs for which the conversion in lanes differs from the scalar one.
template <class To, class From>
void compare_conversion(std::vector<std::string>& wrong) {
  auto const from = delicate<From>();
  for (std::size_t i = 0; i < from.size(); i += static_cast<std::size_t>(lane_count)) {
    auto const lanes = convert<To>(Lanes<From>::load(from.data() + i));
    for (int k = 0; k < lane_count; ++k) {
      To const expected =
          tenon::internal::intrinsics::convert<To>(from[i + static_cast<std::size_t>(k)]);
      To const got = lanes.lane(k);
      bool const both_nan = expected != expected && got != got;
      if (both_nan || std::memcmp(&expected, &got, sizeof(To)) == 0) continue;
      wrong.push_back(std::string(dtype_name<From>) + " to " + std::string(dtype_name<To>));
    }
  }
}

using Dtypes =
    op::List<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
             std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16>;

template <class T>
void check_partial(int count) {
  auto const from = counted<T>();
  auto const lanes = Lanes<T>::load(from.data(), count);
  std::vector<T> to(from.size(), T(99));
  lanes.store(to.data(), count);
  for (int i = 0; i < lane_count; ++i) {
    auto const at = static_cast<std::size_t>(i);
    CHECK(lanes.lane(i) == from[i < count ? at : static_cast<std::size_t>(count - 1)]);
    CHECK(to[at] == (i < count ? from[at] : T(99)));
  }
  CHECK(to[static_cast<std::size_t>(lane_count)] == T(99));
}

}  // namespace

TEST_CASE("a partial load repeats the last element, a partial store writes no other elements") {
  op::for_each(Dtypes{}, []<class T>() {
    static_assert(std::is_trivially_copyable_v<Lanes<T>>);
    for (int count = 1; count <= lane_count; ++count) check_partial<T>(count);
  });
}

TEST_CASE_TEMPLATE("reductions over all lanes, or over the first ones", T, float, double,
                   std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint32_t) {
  auto const from = counted<T>();
  auto const lanes = Lanes<T>::load(from.data());
  CHECK(lanes.sum() == static_cast<T>(lane_count * (lane_count + 1) / 2));
  CHECK(lanes.max() == static_cast<T>(lane_count));
  CHECK(lanes.min() == T(1));
  for (int count = 1; count <= lane_count; ++count) {
    CHECK(lanes.sum(count) == static_cast<T>(count * (count + 1) / 2));
    CHECK(lanes.max(count) == static_cast<T>(count));
    CHECK(lanes.min(count) == T(1));
  }
}

TEST_CASE_TEMPLATE("a NaN in any lane is both the maximum and the minimum", T, float, double) {
  auto const nan = std::numeric_limits<T>::quiet_NaN();
  for (int i = 0; i < lane_count; ++i) {
    auto from = counted<T>();
    from[static_cast<std::size_t>(i)] = nan;
    auto const lanes = Lanes<T>::load(from.data()), one = Lanes<T>(T(1));
    CHECK(std::isnan(lanes.max()));
    CHECK(std::isnan(lanes.min()));
    CHECK(std::isnan(maximum(lanes, one).lane(i)));
    CHECK(std::isnan(maximum(one, lanes).lane(i)));
    CHECK(std::isnan(minimum(lanes, one).lane(i)));
    CHECK(std::isnan(minimum(one, lanes).lane(i)));
    CHECK(std::isnan(clamp(lanes, Lanes<T>(T(0)), one).lane(i)));
    CHECK(is_nan(lanes).lane(i));
    CHECK((lanes != lanes).lane(i));
    CHECK(!(lanes == lanes).lane(i));
  }
}

TEST_CASE("masks load, store, count and reduce") {
  bool from[lane_count], to[lane_count];
  for (int i = 0; i < lane_count; ++i) from[i] = i % 3 == 1;
  auto const mask = Lanes<bool>::load(from);
  mask.store(to);
  CHECK(std::memcmp(from, to, sizeof(from)) == 0);
  CHECK(mask.any());
  CHECK(!mask.all());
  CHECK(mask.reduced<op::Or>());
  CHECK(!mask.reduced<op::And>());
  for (int count = 0; count <= lane_count; ++count) {
    auto const first = Lanes<bool>::first(count);
    for (int i = 0; i < lane_count; ++i) CHECK(first.lane(i) == (i < count));
  }
}

TEST_CASE("every conversion equals the scalar conversion in every lane") {
  std::vector<std::string> wrong;
  op::for_each(Dtypes{}, [&]<class From>() {
    op::for_each(Dtypes{}, [&]<class To>() { compare_conversion<To, From>(wrong); });
    compare_conversion<bool, From>(wrong);
  });
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("masks convert to zeros and ones") {
  bool from[lane_count];
  for (int i = 0; i < lane_count; ++i) from[i] = i % 3 == 1;
  auto const mask = Lanes<bool>::load(from);
  op::for_each(Dtypes{}, [&]<class T>() {
    for (int i = 0; i < lane_count; ++i) CHECK(convert<T>(mask).lane(i) == T(from[i] ? 1 : 0));
  });
}

TEST_CASE_TEMPLATE("the intrinsics agree with the scalar ones", T, float, double) {
  using L = std::numeric_limits<T>;
  for (T x : {L::denorm_min(), L::min() / 4, L::min(), T(0.5), T(0.75), T(1), T(1.5), T(2.5),
              T(3.5), T(1e6), L::max()}) {
    Lanes<T> const lanes = x;
    int const last = lane_count - 1;
    CHECK(exponent(lanes).lane(last) == tenon::internal::intrinsics::exponent(x));
    CHECK(mantissa(lanes).lane(last) == tenon::internal::intrinsics::mantissa(x));
    CHECK(std::scalbn(tenon::internal::intrinsics::mantissa(x),
                      static_cast<int>(tenon::internal::intrinsics::exponent(x))) == x);
    for (T y : {x, -x}) {
      CHECK(floor(Lanes<T>(y)).lane(last) == std::floor(y));
      CHECK(tenon::internal::intrinsics::floor(y) == std::floor(y));
      CHECK(round_even(Lanes<T>(y)).lane(last) == std::nearbyint(y));
      CHECK(tenon::internal::intrinsics::round_even(y) == std::nearbyint(y));
      CHECK(abs(Lanes<T>(y)).lane(last) == x);
    }
  }
  for (int n = 2 * L::min_exponent; n <= 2 * L::max_exponent; n += 7) {
    T const m = T(1.3125), expected = std::scalbn(m, n);
    CHECK(tenon::internal::intrinsics::scale(m, static_cast<T>(n)) == expected);
    CHECK(scale(Lanes<T>(m), Lanes<T>(static_cast<T>(n))).lane(0) == expected);
  }
}

}  // namespace lanes_test
