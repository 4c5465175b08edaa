#include <doctest/doctest.h>

#include <limits>

#include "../bits/record.hpp"
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
  auto const scaled = clip_by_global_norm(gradients, 1.5);
  bits::record(bits::name_of<T, D>(), scaled);
  auto const clipped = values(scaled);
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

TEST_CASE("squares that float cannot hold do not change the norm") {
  Float32<"n=4"> const huge{3e30f, 4e30f, 0, 0}, largest{3e38f, 3e38f, 3e38f, 3e38f},
      tiny{3e-30f, 4e-30f, 0, 0};
  CHECK(global_norm(huge) == doctest::Approx(5e30).epsilon(1e-6));
  CHECK(global_norm(largest) == doctest::Approx(6e38).epsilon(1e-6));
  CHECK(global_norm(tiny) == doctest::Approx(5e-30).epsilon(1e-6));
  CHECK(clip_by_global_norm(huge, 1)(1) == doctest::Approx(0.8).epsilon(1e-6));
  CHECK(clip_by_global_norm(largest, 1)(3) == doctest::Approx(0.5).epsilon(1e-6));
}

TEST_CASE("gradients of 16 bits are added and scaled in float") {
  BFloat16<"n"> many = ones<BFloat16<"n">>(10000);  // a sum of bfloat16 would stay at 256
  CHECK(global_norm(many) == doctest::Approx(100).epsilon(1e-6));
  Float16<"n=2"> const large{30000, 40000};  // their squares are beyond float16
  CHECK(global_norm(large) == doctest::Approx(50000).epsilon(1e-6));
  CHECK(clip_by_global_norm(large, 5)(1) == float16(4));
  many(7) = bfloat16(std::numeric_limits<float>::infinity());
  CHECK(global_norm(many) == std::numeric_limits<double>::infinity());
}

}  // namespace clip_test
