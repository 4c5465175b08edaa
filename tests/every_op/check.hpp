#pragma once

// Common parts of the tests of every op: arguments, comparison in units in the last place, and the
// reported failures, which contain the op, the index and both values.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/tenon.hpp>

#include "../bits/record.hpp"

namespace every_op {

using namespace tenon;
using namespace tenon::internal;

/// References are computed with more bits than any dtype has.
using Wide = long double;

/// A floating number as an integer, such that adjacent numbers differ by one.
template <class T>
std::int64_t place(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  Bits const bits = std::bit_cast<Bits>(x);
  constexpr Bits lowest = std::numeric_limits<Bits>::min();
  return bits < 0 ? -static_cast<std::int64_t>(bits - lowest) : static_cast<std::int64_t>(bits);
}

/// Compares with the expected value in the dtype, within a number of units in the last place; zeros
/// with their sign.
template <class T>
bool agrees(T got, Wide expected, int units) {
  T const rounded = static_cast<T>(expected);
  if (rounded != rounded || got != got) return rounded != rounded && got != got;
  if constexpr (std::is_floating_point_v<T>) {
    if (rounded == 0 && got == 0) return std::signbit(rounded) == std::signbit(got);
    std::int64_t const distance = place(got) - place(rounded);
    return distance <= units && -distance <= units;
  } else {
    return got == rounded;
  }
}

/// A named claim about all elements of results: reports the first three that differ, and hashes the
/// results for tests/bits.
class Verdict {
 public:
  explicit Verdict(std::string claim) : claim_(std::move(claim)) {}
  Verdict(Verdict const&) = delete;
  ~Verdict() { say(claim_, mistakes_.str()); }

  /// Adds all bits of a result to the hash of the claim.
  template <TensorType E>
  void record(E const& result) const {
    bits::record(claim_, result);
  }

  void expect(bool holds, std::string_view where, std::int64_t at, Wide got, Wide expected) {
    if (holds || ++count_ > 3) return;
    mistakes_.precision(20);
    mistakes_ << "\n  " << where << " at " << at << ": got " << got << ", expected " << expected;
  }

 private:
  static void say(std::string const& claim, std::string const& mistakes) {
    INFO(claim);
    CHECK(mistakes == "");
  }

  std::string claim_;
  std::ostringstream mistakes_;
  int count_ = 0;
};

template <class Op, class T, class D>
std::string claim(std::string_view what) {
  return std::string(Op::name)
      .append(" of ")
      .append(dtype_name<T>)
      .append(" on ")
      .append(D::name)
      .append(": ")
      .append(what);
}

/// A number of the C library to 24 bits, in which all libraries agree: arguments and adjoints have
/// the same bits everywhere, and so have the results.
inline double wave(double x) { return static_cast<float>(x); }

/// Limits of a floating dtype, and ordinary numbers between them.
template <class T>
std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  T const inf = Limits::infinity();
  std::vector<T> all{0,
                     T(-0.0),
                     1,
                     -1,
                     T(0.5),
                     T(-0.5),
                     T(1.5),
                     2,
                     -2,
                     3,
                     T(0.1),
                     T(-0.1),
                     T(1e-8),
                     10,
                     -10,
                     T(20.5),
                     inf,
                     -inf,
                     Limits::quiet_NaN(),
                     100,
                     -100,
                     T(88.7),
                     T(-87.4),
                     1000,
                     -1000,
                     T(1e10),
                     T(-1e10),
                     T(1e30),
                     T(-1e30),
                     T(1e-30),
                     T(709.5),
                     Limits::max(),
                     Limits::lowest(),
                     Limits::min(),
                     -Limits::min(),
                     Limits::denorm_min(),
                     -Limits::denorm_min(),
                     Limits::epsilon()};
  for (int i = 1; i <= 33; ++i) all.push_back(static_cast<T>(wave(std::sin(i * 1.7)) * i * 0.31));
  return all;
}

/// A tensor that repeats the first `count` of the numbers, from number `first` on.
template <class T>
std::vector<T> cycle(std::vector<T> const& numbers, std::int64_t count, std::int64_t first = 0) {
  std::vector<T> result;
  auto const size = static_cast<std::int64_t>(numbers.size());
  for (std::int64_t i = 0; i < count; ++i)
    result.push_back(numbers[static_cast<std::size_t>((first + i) % size)]);
  return result;
}

/// The elements of a tensor, recorded or not.
template <TensorType E>
auto const* elements_of(E const& x) {
  return tenon::internal::stored_elements(x);
}

template <class T, class D>
Tensor<T, "n", D> vector_of(std::vector<T> const& elements) {
  auto const count = static_cast<std::int64_t>(elements.size());
  auto result = Tensor<T, "n", D>::uninitialised(Tensor<T, "n", D>::with_run_time_sizes({count}));
  T* const to = result.mutable_data();
  for (std::size_t i = 0; i < elements.size(); ++i) to[i] = elements[i];
  return result;
}

/// Lengths with every tail, zero, and a long odd length.
inline std::vector<std::int64_t> lengths() {
  std::vector<std::int64_t> result;
  for (std::int64_t n = 0; n <= 2 * lane_count + 1; ++n) result.push_back(n);
  result.push_back(7 * lane_count + 3);
  return result;
}

}  // namespace every_op
