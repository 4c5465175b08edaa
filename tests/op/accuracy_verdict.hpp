#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "accuracy.hpp"

/// The table of the largest errors, and the bounds of each line.
namespace accuracy {

using tenon::op::error_bound;

template <class Op, class T>
std::string line(Worst const& worst) {
  char text[120];
  std::snprintf(text, sizeof text, "\n  %-12.*s %8.3f  of %.1f allowed, at %.9g",
                static_cast<int>(Op::name.size()), Op::name.data(), worst.units,
                error_bound<Op, T>(), worst.at);
  return text;
}

template <class Op, class T>
void expect_within_bounds(Worst const& worst) {
  INFO(Op::name);
  CHECK(worst.units <= error_bound<Op, T>());
  CHECK(worst.same_in_every_lane);
}

}  // namespace accuracy
