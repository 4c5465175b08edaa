#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/tensor/host_elements.hpp>

namespace tenon::training {

/// Statistics of the elements of a tensor. Those of an empty tensor, or of one without a finite
/// element, are NaN.
struct Statistics {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::int64_t count = 0;
  std::int64_t zeros = 0;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  double min = none, max = none;   ///< Of the finite elements.
  double mean = none, std = none;  ///< Of the finite elements; `std` is divided by n.

  bool has_nan() const { return nans > 0; }
  bool has_infinity() const { return infinities > 0; }
  bool is_finite() const { return nans == 0 && infinities == 0; }

  /// "min -1.5, max 2, mean 0.25, std 0.75 of 1,024 elements, 3 zeros, 1 NaN".
  std::string text() const;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// Statistics of finite elements, one at a time (Welford 1962).
struct RunningMoments {
  tenon::training::Statistics found{};
  double squares = 0;  ///< The sum of squared distances from the mean.
  std::int64_t finite = 0;

  void add(double x) {
    ++found.count;
    if (std::isnan(x)) ++found.nans;
    else if (std::isinf(x)) ++found.infinities;
    else add_finite(x);
  }

  tenon::training::Statistics result() const {
    tenon::training::Statistics result = found;
    if (finite > 0) result.std = std::sqrt(squares / static_cast<double>(finite));
    return result;
  }

 private:
  void add_finite(double x) {
    if (x == 0) ++found.zeros;
    if (finite++ == 0) found.min = found.max = found.mean = x;
    found.min = std::fmin(found.min, x);
    found.max = std::fmax(found.max, x);
    double const distance = x - found.mean;
    found.mean += distance / static_cast<double>(finite);
    squares += distance * (x - found.mean);
  }
};

/// Minimum, maximum, mean and standard deviation of the finite elements of a tensor or an
/// expression of real numbers or a mask, and the number of zeros, NaN and infinities: one pass over
/// the elements on the host, in double. A recorded value may be passed.
template <Expression X>
tenon::training::Statistics statistics(X const& x) {
  using T = typename X::value_type;
  static_assert(!ComplexType<T>, "tenon: statistics: expected real numbers, got complex ones");
  auto const value = eval(x);
  auto const elements = host_elements(value);
  RunningMoments moments;
  for (std::int64_t i = 0; i < value.size(); ++i)
    moments.add(static_cast<double>(static_cast<Computed<T>>(elements[i])));
  return moments.result();
}
template <Mistake X>
auto statistics(X const&) -> X;

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::statistics;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <tenon/train/inspect/columns.hpp>

namespace tenon::training {

TENON_RUNTIME std::string Statistics::text() const {
  using namespace internal::training;
  std::string text = "min " + digits_text(min) + ", max " + digits_text(max) + ", mean " +
                     digits_text(mean) + ", std " + digits_text(std) + " of " + with_commas(count) +
                     " elements";
  if (zeros > 0) text += ", " + with_commas(zeros) + " zeros";
  if (nans > 0) text += ", " + with_commas(nans) + " NaN";
  if (infinities > 0) text += ", " + with_commas(infinities) + " infinite";
  return text;
}

}  // namespace tenon::training

#endif
