#pragma once

// Comparisons for tests of layers: values with loops, gradients with central differences.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "naive.hpp"

namespace checks {

/// Checks that every number is as expected within `tolerance` of the largest.
template <class Tensor>
void near(Tensor const& got, naive::Numbers const& expected, double tolerance) {
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
        return tenon::internal::init::drawn(leaf, tenon::fold_in(tenon::Key(seed), leaf_number++),
                                            0.5);
      },
      like);
}

/// The gradient of the scalar `f` at a tree in double, compared with central differences.
template <class F, class Tree>
void gradient(F const& f, Tree const& at) {
  double const step = 1e-5;
  Tree const got = tenon::grad(f)(at);
  Tree moved = at;
  tenon::tree::zip(
      [&](tenon::internal::tree::Path const& path, auto& leaf, auto const& derivative) {
        for (std::int64_t i = 0; i < leaf.size(); ++i) {
          double const before = leaf.data()[i];
          auto const value = [&](double x) {
            leaf.mutable_data()[i] = x;
            return double(tenon::eval(f(moved)).item());
          };
          double const expected = (value(before + step) - value(before - step)) / (2 * step);
          leaf.mutable_data()[i] = before;
          INFO(path.text() << " " << i);
          CHECK(derivative.data()[i] == doctest::Approx(expected).epsilon(1e-6).scale(1.0));
        }
      },
      moved, got);
}

/// A scalar in which each element has a different weight.
template <class X>
auto weighed(X const& x) {
  return tenon::sum(tenon::sin(x) * x);
}

}  // namespace checks
