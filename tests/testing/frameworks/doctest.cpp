#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "checks.hpp"

TEST_CASE("checks") { run_checks(); }
