#pragma once

// Gradients against central differences, element by element.

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

/// Checks the gradient of `f` at `x` against central differences in double.
template <class F, class X>
void check_gradient(F const& f, X const& x) {
  auto const gradient = tenon::grad(f)(x);
  REQUIRE(gradient.size() == x.size());
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double const step = 1.0 / 1024;
    X above = x, below = x;
    above.mutable_data()[i] += step;
    below.mutable_data()[i] -= step;
    double const expected =
        (tenon::eval(f(above)).item() - tenon::eval(f(below)).item()) / (2 * step);
    CHECK(gradient.data()[i] == doctest::Approx(expected).epsilon(1e-5));
  }
}
