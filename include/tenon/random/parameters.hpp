#pragma once

#include <tenon/core/config.hpp>

/// The checks of the parameters of distributions, once for each draw.
namespace tenon::internal {

/// Throws `ValueError` unless low <= high and their difference, in the dtype, is finite.
void check_uniform(double low, double high, double difference);

/// Throws `ValueError` unless both are finite and the deviation is not negative.
void check_normal(double mean, double deviation);

/// Throws `ValueError` unless it is from 0 to 1.
void check_probability(double probability);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <cmath>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/tensor/number_text.hpp>

namespace tenon::internal {

TENON_RUNTIME void check_uniform(double low, double high, double difference) {
  if (low <= high && std::isfinite(difference)) return;
  std::string const got = "[" + lone_number(low, true) + ", " + lone_number(high, true) + ")";
  fail<ValueError>({.who = "uniform", .expected = "finite bounds low <= high", .got = got});
}

TENON_RUNTIME void check_normal(double mean, double deviation) {
  if (deviation >= 0 && std::isfinite(mean) && std::isfinite(deviation)) return;
  std::string const got =
      "mean " + lone_number(mean, true) + " and deviation " + lone_number(deviation, true);
  fail<ValueError>(
      {.who = "normal", .expected = "a finite mean and a finite deviation >= 0", .got = got});
}

TENON_RUNTIME void check_probability(double probability) {
  if (probability >= 0 && probability <= 1) return;
  fail<ValueError>({.who = "bernoulli",
                    .expected = "a probability from 0 to 1",
                    .got = lone_number(probability, true)});
}

}  // namespace tenon::internal

#endif
