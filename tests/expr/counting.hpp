#pragma once

// Tensors whose elements are their row-major positions, and functions that read results.

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace counting {

using namespace tenon;
using namespace tenon::internal;

/// 0, 1, 2, ... in row-major order; the run-time sizes are given in order.
template <class R, class... I>
R counted(I... sizes) {
  R result = R::uninitialised(R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...}));
  auto* const to = result.own_memory();
  for (std::int64_t i = 0; i < result.size(); ++i) to[i] = static_cast<typename R::value_type>(i);
  return result;
}

/// The canonical spec of an expression.
template <class X>
std::string_view spec(X const&) {
  static constexpr auto text = spec_of<X>;
  return text.view();
}

/// Sizes and elements of an expression, both evaluated and read one at a time.
template <class X>
std::vector<double> elements(X const& x) {
  auto const value = eval(x);
  std::vector<double> result;
  for (int i = 0; i < X::shape.rank; ++i) CHECK(at(value.sizes(), i) == at(x.sizes(), i));
  for (std::int64_t i = 0; i < value.size(); ++i)
    result.push_back(static_cast<double>(value.data()[i]));
  return result;
}

/// The elements of a result with three axes, computed by a loop.
template <class F>
std::vector<double> loop(std::int64_t n, std::int64_t m, std::int64_t k, F const& f) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t l = 0; l < k; ++l) result.push_back(static_cast<double>(f(i, j, l)));
  return result;
}

}  // namespace counting
