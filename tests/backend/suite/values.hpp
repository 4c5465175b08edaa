#pragma once

// The values that every device must compute: values by name, computed on a device and on reference,
// and the allowed difference. The test of a device is
//
//   TEST_CASE("my device gives what reference gives") {
//     suite::expect_as_reference(suite::forward<MyDevice>(), suite::expected_forward());
//   }
//
// and likewise for `ops`, `whole_ops`, `other_dtypes`, `gradients`, `second_derivatives`,
// `training`. Reference computes its values once for all devices, in `suite_reference_test.cpp` and
// `suite_reference_gradient_test.cpp`.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include "../source_cases.hpp"

namespace suite {

using namespace tenon;
using namespace tenon::internal;

struct Value {
  std::string claim;
  double tolerance;  ///< Relative, for every element; 0 requires equality.
  std::vector<double> elements;
  bool is_floating, is_float;
};

/// Values in the order in which they were computed.
struct Values {
  std::vector<Value> all{};

  template <class E>
  void add(std::string claim, double tolerance, E const& expression) {
    using T = typename E::value_type;
    auto const value = to<Cpu>(evaluate_expression(expression));
    std::vector<double> elements;
    for (std::int64_t i = 0; i < value.size(); ++i) {
      if constexpr (ComplexType<T>) {
        elements.push_back(static_cast<double>(value.data()[i].real()));
        elements.push_back(static_cast<double>(value.data()[i].imag()));
      } else {
        elements.push_back(static_cast<double>(value.data()[i]));
      }
    }
    all.push_back({std::move(claim), tolerance, std::move(elements), InexactType<T>,
                   InexactType<T> && !std::same_as<T, double>});
  }
};

inline bool agrees(Value const& wanted, double got, double expected) {
  if (!wanted.is_float) return source_cases::agrees(got, expected, wanted.tolerance);
  return source_cases::agrees(static_cast<float>(got), static_cast<float>(expected),
                              wanted.tolerance);
}

/// The mean square difference of the finite and not huge elements, relative to that of the expected
/// ones.
inline double normalised_error(Value const& got, Value const& wanted) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < wanted.elements.size(); ++i) {
    double const a = got.elements[i], b = wanted.elements[i];
    if (!std::isfinite(b) || std::abs(b) > 1e30) continue;
    error += (a - b) * (a - b);
    size += b * b;
  }
  return error == 0 ? 0 : error / size;
}

inline void expect_as_reference(Values const& got, Values const& wanted) {
  REQUIRE(got.all.size() == wanted.all.size());
  for (std::size_t k = 0; k < wanted.all.size(); ++k) {
    Value const &a = got.all[k], &b = wanted.all[k];
    INFO(b.claim);
    REQUIRE(a.elements.size() == b.elements.size());
    for (std::size_t i = 0; i < b.elements.size(); ++i) {
      if (agrees(b, a.elements[i], b.elements[i])) continue;
      INFO("at " << i << ": " << a.elements[i] << ", " << b.elements[i]);
      CHECK(agrees(b, a.elements[i], b.elements[i]));
    }
    if (b.is_floating) CHECK(normalised_error(a, b) <= 1e-7);
  }
}

}  // namespace suite
