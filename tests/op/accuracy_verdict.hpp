#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "accuracy.hpp"
#include "accuracy_bounds.hpp"

/// The table of the worst, and what holds of each line.
namespace accuracy {

template <class T>
std::string line(std::string_view name, Worst const& worst) {
  char text[120];
  std::snprintf(text, sizeof text, "\n  %-12.*s %8.3f  of %.1f allowed, at %.9g",
                static_cast<int>(name.size()), name.data(), worst.units, bound_of<T>(name),
                worst.at);
  return text;
}

template <class T>
void expect_within_bounds(std::string_view name, Worst const& worst) {
  INFO(name);
  CHECK(worst.units <= bound_of<T>(name));
  CHECK(worst.same_in_every_lane);
}

}  // namespace accuracy
