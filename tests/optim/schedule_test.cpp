#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace schedule_test {

using tenon::WarmupCosine;

TEST_CASE("the learning rate rises linearly and falls along a cosine") {
  auto const rate = WarmupCosine{.peak = 2, .warmup = 10, .steps = 110, .floor = 0.5};
  CHECK(rate(0) == doctest::Approx(0.2));
  CHECK(rate(4) == doctest::Approx(1.0));
  CHECK(rate(9) == 2.0);
  CHECK(rate(10) == 2.0);
  CHECK(rate(60) == doctest::Approx(1.25));
  CHECK(rate(110) == 0.5);
  CHECK(rate(1000) == 0.5);
  for (int step = 10; step < 110; ++step) CHECK(rate(step + 1) < rate(step));
}

TEST_CASE("a schedule without warm-up, or of length zero, has a learning rate") {
  CHECK(WarmupCosine{.peak = 3, .steps = 10}(0) == 3.0);
  CHECK(WarmupCosine{.peak = 3, .warmup = 5, .steps = 5, .floor = 1}(4) == 3.0);
  CHECK(WarmupCosine{.peak = 3, .warmup = 5, .steps = 5, .floor = 1}(6) == 1.0);
}

}  // namespace schedule_test
