#include <gtest/gtest.h>

#include "checks.hpp"

TEST(Checks, all) { run_checks(); }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
