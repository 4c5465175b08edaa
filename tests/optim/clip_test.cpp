#include <doctest/doctest.h>

#include <limits>

#include "trees.hpp"

namespace clip_test {

using namespace optim_test;

namespace {

double length(std::vector<double> const& all) {
  double sum = 0;
  for (double const x : all) sum += x * x;
  return std::sqrt(sum);
}

template <class T, class D>
void check_clipping() {
  auto const gradients = optim_test::model<T, D>(1);
  auto const before = values(gradients);
  double const norm = length(before);
  CHECK(global_norm(gradients) == doctest::Approx(norm).epsilon(1e-6));
  auto const clipped = values(clip_by_global_norm(gradients, 1.5));
  for (std::size_t i = 0; i < clipped.size(); ++i) {
    CHECK(clipped[i] == doctest::Approx(before[i] * 1.5 / norm).epsilon(1e-6));
  }
  CHECK(values(gradients) == before);
  CHECK(values(clip_by_global_norm(gradients, 2 * norm)) == before);
}

}  // namespace

TEST_CASE("gradients are scaled to the limit only if their norm exceeds it") {
  check_clipping<float, Cpu>();
  check_clipping<float, Reference>();
  check_clipping<double, Cpu>();
  check_clipping<double, Reference>();
}

TEST_CASE("gradients that are not finite are unchanged") {
  float const infinity = std::numeric_limits<float>::infinity();
  Float32<"n=2"> const gradients{infinity, 1};
  CHECK(global_norm(gradients) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(clip_by_global_norm(gradients, 1)(0)));
  Float32<"n=2"> const undefined{std::nanf(""), 1};
  CHECK(std::isnan(global_norm(undefined)));
  CHECK(std::isnan(clip_by_global_norm(undefined, 1)(0)));
}

TEST_CASE("the norm of an empty tree, and of zeros, is zero") {
  CHECK(global_norm(std::vector<Float32<"n">>()) == 0);
  CHECK(global_norm(Float32<"n=3">()) == 0);
  CHECK(clip_by_global_norm(Float32<"n=3">(), 0)(1) == 0.0f);
}

}  // namespace clip_test
