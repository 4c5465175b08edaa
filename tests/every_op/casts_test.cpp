#include "reference.hpp"

namespace casts_test {

using namespace tenon::internal;

using namespace every_op;

namespace {

/// The conversion of a number to `To`: floating to integer rounds towards zero and saturates, NaN
/// gives 0; integers are truncated to the lower bits; everything except zero is true. 16-bit dtypes
/// round once.
template <class To, class From>
To cast(From x) {
  using Limits = std::numeric_limits<To>;
  if constexpr (HalfType<From>) return cast<To>(static_cast<float>(x));
  else if constexpr (HalfType<To>) return static_cast<To>(x);
  else if constexpr (std::same_as<To, bool>) return x != From(0);
  else if constexpr (std::integral<To> && std::floating_point<From>) {
    Wide const whole = std::trunc(static_cast<Wide>(x));
    if (x != x) return To(0);
    if (whole >= static_cast<Wide>(Limits::max())) return Limits::max();
    if (whole <= static_cast<Wide>(Limits::lowest())) return Limits::lowest();
    return static_cast<To>(whole);
  } else {
    return static_cast<To>(x);
  }
}

template <class T>
std::vector<T> some() {
  if constexpr (std::floating_point<T>) {
    return {0,
            T(-0.0),
            1,
            -1,
            T(0.5),
            T(2.5),
            T(-2.5),
            T(127.9),
            T(-128.7),
            300,
            T(65504),
            T(1e5),
            T(3e9),
            T(-3e9),
            T(1e19),
            T(-1e19),
            T(1e-8),
            T(1 + 0x1p-11 + 0x1p-40),
            T(-1 - 0x1p-8 - 0x1p-40),
            T(65519.9999999),
            T(3e-8),
            std::numeric_limits<T>::infinity(),
            -std::numeric_limits<T>::infinity(),
            std::numeric_limits<T>::quiet_NaN(),
            T(0.1)};
  } else if constexpr (HalfType<T>) {
    std::vector<T> all;
    for (float const x : {0.f, -0.f, 1.f, -1.5f, 0.1f, 100.f, -300.f, 60000.f, 1e-7f})
      all.push_back(T(x));
    return all;
  } else if constexpr (std::same_as<T, bool>) {
    return {true, false, false, true, true};
  } else {
    return {0,
            1,
            2,
            100,
            std::numeric_limits<T>::max(),
            std::numeric_limits<T>::lowest(),
            static_cast<T>(-1),
            77,
            static_cast<T>(2049),
            static_cast<T>(0x1010001),
            static_cast<T>(0x10100000001),
            static_cast<T>(-100)};
  }
}

template <class T>
bool same(T a, T b) {
  if constexpr (HalfType<T>) return same(static_cast<float>(a), static_cast<float>(b));
  else if constexpr (std::floating_point<T>)
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0;
  else return a == b;
}

template <class To, class From, class D>
void casts() {
  Verdict verdict(claim<op::Cast<To>, From, D>("as " + std::string(dtype_name<To>)));
  std::vector<From> const all = some<From>();
  for (std::int64_t const length : {std::int64_t{1}, std::int64_t{2 * lane_count + 5}}) {
    for (std::int64_t first = 0; first < 3; ++first) {
      auto x = zeros<Tensor<From, "n", D>>(length);
      for (std::int64_t i = 0; i < length; ++i)
        x(i) = all[static_cast<std::size_t>(first + i) % all.size()];
      auto const y = eval(to<To>(x));
      verdict.record(y);
      for (std::int64_t i = 0; i < length; ++i) {
        To const expected = cast<To>(std::as_const(x)(i));
        verdict.expect(same<To>(y(i), expected),
                       std::to_string(static_cast<float>(std::as_const(x)(i))), i,
                       static_cast<Wide>(static_cast<float>(y(i))),
                       static_cast<Wide>(static_cast<float>(expected)));
      }
    }
  }
}

template <class To, class D, class... From>
void from_each() {
  (casts<To, From, D>(), ...);
}

template <class To, class D>
void from_all() {
  from_each<To, D, float, double, float16, bfloat16, bool, std::int8_t, std::int16_t, std::int32_t,
            std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace

TEST_CASE_TEMPLATE("every dtype is cast to floating dtypes", D, Cpu, Reference) {
  from_all<float, D>();
  from_all<double, D>();
  from_all<bfloat16, D>();
  from_each<float16, D, float, double, std::int32_t>();
}

TEST_CASE_TEMPLATE("every dtype is cast to integers and masks", D, Cpu, Reference) {
  from_all<std::int32_t, D>();
  from_all<std::int64_t, D>();
  from_all<bool, D>();
  from_each<std::int8_t, D, float, double, std::int32_t, std::uint8_t>();
  from_each<std::uint8_t, D, float, double, std::int32_t, std::int64_t>();
  from_each<std::uint64_t, D, float, double, std::int32_t>();
}

}  // namespace casts_test
