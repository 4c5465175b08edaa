#pragma once

// Comparison of the values of a device with those of the processor.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <tenon/tenon.hpp>

template <class X, class Y>
void expect_near(X const& got, Y const& expected, double tolerance) {
  auto const here = tenon::to<tenon::Cpu>(got);
  REQUIRE(here.size() == expected.size());
  for (std::int64_t i = 0; i < here.size(); ++i) {
    INFO("at " << i);
    CHECK(std::abs(double(here.data()[i]) - double(expected.data()[i])) <=
          tolerance * (std::abs(double(expected.data()[i])) + 1e-2));
  }
}
