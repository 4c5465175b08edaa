#pragma once

// Comparisons for tests of layers with values from loops, and random models.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "../bits/record.hpp"
#include "naive.hpp"

namespace checks {

/// Checks that every number is as expected within `tolerance` of the largest, and records all bits.
template <class Tensor>
void near(Tensor const& got, naive::Numbers const& expected, double tolerance) {
  bits::record("values", got);
  REQUIRE(static_cast<std::size_t>(got.size()) == expected.size());
  double largest = 1;
  for (double const number : expected) largest = std::max(largest, std::abs(number));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got.data()[i] - expected[i]) <= tolerance * largest);
  }
}

/// A model in which every learned number is random, including gammas and biases.
template <class Model>
Model random_model(int seed, Model const& like = Model()) {
  std::int64_t leaf_number = 0;
  return tenon::tree::map(
      [&](auto const& leaf) {
        return tenon::internal::init::DrawNormal{0.5}(
            leaf, tenon::fold_in(tenon::Key(seed), leaf_number++));
      },
      like);
}

/// Checks a gradient by central differences, and records all its bits.
template <class F, class Tree>
void gradient(F const& f, Tree const& at) {
  CHECK_GRADIENT(f, at);
  bits::record("gradient", tenon::grad(f)(at));
}

/// A scalar in which each element has a different weight.
template <class X>
auto weighed(X const& x) {
  return tenon::sum(tenon::sin(x) * x);
}

}  // namespace checks
