#pragma once

#include <doctest/doctest.h>

#include "checks.hpp"

/// Every mistake is a test failure; the first few are printed.
inline void expect_none(checks::Mistakes const& found) {
  for (std::size_t i = 0; i < found.size() && i < 5; ++i) FAIL_CHECK(found[i]);
  CHECK(found.size() == 0);
}
