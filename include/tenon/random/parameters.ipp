#pragma once

#include <cmath>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/random/parameters.hpp>
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
