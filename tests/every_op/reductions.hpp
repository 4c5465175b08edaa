#pragma once

// Reductions over any axes of a tensor "a b c", in double: values, and gradients compared with
// central differences of the definition.

#include <set>

#include "gradients.hpp"

namespace every_op {

using namespace tenon::internal;

using Numbers = std::vector<Wide>;

/// A tensor with three run-time sizes, and the groups of elements that are reduced together.
struct Cube {
  std::int64_t a, b, c;

  std::int64_t count() const { return a * b * c; }

  /// The number of the group to which an element belongs, in row-major order of the other axes.
  std::int64_t group(std::int64_t element, std::string_view reduced) const {
    auto const kept = [&](char axis) { return reduced.find(axis) == std::string_view::npos; };
    std::int64_t number = 0;
    if (kept('a')) number = element / (b * c);
    if (kept('b')) number = number * b + element / c % b;
    if (kept('c')) number = number * c + element % c;
    return number;
  }
  std::int64_t groups(std::string_view reduced) const {
    auto const kept = [&](char axis) { return reduced.find(axis) == std::string_view::npos; };
    return (kept('a') ? a : 1) * (kept('b') ? b : 1) * (kept('c') ? c : 1);
  }
};

/// Ordinary and odd sizes, and some with an empty axis. (Devices without lanes get small ones:
/// `Reference` recomputes a nested reduction for every element.)
template <class D>
std::vector<Cube> cubes() {
  std::int64_t const lanes = std::is_same_v<D, Cpu> ? lane_count : 4;
  return {{3, 4, 2 * lanes + 1},
          {1, 1, 1},
          {2, 3, 1},
          {5, 1, lanes},
          {1, 2, lanes + 3},
          {0, 4, 3},
          {3, 0, 5},
          {2, 3, 0},
          {0, 0, 0},
          {4, 5, lanes - 1}};
}

template <class D>
using CubeTensor = Tensor<double, "a b c", D>;

template <class D>
CubeTensor<D> cube_of(Cube const& cube, bool ties = false) {
  auto x = CubeTensor<D>::uninitialised({cube.a, cube.b, cube.c, 1, 1, 1, 1, 1});
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = ties ? static_cast<double>(i % 3) : ordinary(i, op::Domain::everywhere);
  return x;
}

/// The elements of every group, in order.
template <class D>
std::vector<Numbers> grouped(Cube const& cube, std::string_view axes, CubeTensor<D> const& x) {
  std::vector<Numbers> result(static_cast<std::size_t>(cube.groups(axes)));
  for (std::int64_t i = 0; i < cube.count(); ++i)
    result[static_cast<std::size_t>(cube.group(i, axes))].push_back(elements_of(x)[i]);
  return result;
}

/// The derivatives of the sum of `shares` times `f` of a group, with respect to each of its
/// elements.
template <class F>
Numbers derivatives(F const& f, Numbers group, Numbers const& shares) {
  Wide const h = 1e-6L;
  Numbers result;
  auto const weighed = [&] {
    Wide sum = 0;
    Numbers const y = f(group);
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * shares[i];
    return sum;
  };
  for (Wide& x : group) {
    Wide const at = x;
    x = at + h;
    Wide const above = weighed();
    x = at - h;
    Wide const below = weighed();
    x = at;
    result.push_back((above - below) / (2 * h));
  }
  return result;
}

/// True if the reduction of an empty group has a value.
template <class F>
inline constexpr bool of_nothing = true;

/// Compares a reduction, or a normalisation, which has a result for every element, with its
/// definition. A reduction has one result per group: f returns one number.
template <class F, class D, class Apply>
void check_groups(std::string_view axes, Apply const& apply) {
  Verdict verdict(
      std::string(F::name).append(" over ").append(axes).append(" on ").append(D::name));
  for (Cube const& cube : cubes<D>()) {
    Tape tape;
    auto const x = recorded(cube_of<D>(cube), tape);
    if (!of_nothing<F> && cube.count() == 0 && cube.groups(axes) != 0) {
      CHECK_THROWS_AS(apply(x), ValueError);
      continue;
    }
    auto const y = eval(apply(x));
    verdict.record(y);
    auto const groups = grouped(cube, axes, x);
    REQUIRE(y.size() == (F::is_reduction ? cube.groups(axes) : cube.count()));
    auto const dy = adjoint_like(y);
    std::vector<Numbers> values, shares(groups.size()), derivatives_of(groups.size());
    for (Numbers const& group : groups) values.push_back(F::of(group));
    for (std::int64_t i = 0; i < y.size(); ++i) {
      auto const g = static_cast<std::size_t>(F::is_reduction ? i : cube.group(i, axes));
      Wide const expected = values[g][shares[g].size()];
      bool const both_nan = expected != expected && elements_of(y)[i] != elements_of(y)[i];
      bool const equal = elements_of(y)[i] == expected || near(elements_of(y)[i], expected, 1e-13L);
      verdict.expect(both_nan || equal, "value", i, elements_of(y)[i], expected);
      shares[g].push_back(elements_of(dy)[i]);
    }
    seed(y, dy, tape);
    tape.backward();
    auto const dx = gradient_of(x, tape);
    verdict.record(dx);
    for (std::size_t g = 0; g < groups.size(); ++g)
      derivatives_of[g] = derivatives(F::of, groups[g], shares[g]);
    std::vector<std::size_t> next(groups.size());
    for (std::int64_t i = 0; i < cube.count(); ++i) {
      auto const g = static_cast<std::size_t>(cube.group(i, axes));
      Wide const expected = derivatives_of[g][next[g]++];
      verdict.expect(near(elements_of(dx)[i], expected, 1e-8L), "gradient", i, elements_of(dx)[i],
                     expected);
    }
  }
}

template <class F, class D, Axes axes>
void check_axes() {
  check_groups<F, D>(axes.names.view(), [](auto const& x) { return F::template apply<axes>(x); });
  if constexpr (F::is_reduction)
    check_groups<F, D>(axes.names.view(),
                       [](auto const& x) { return F::template apply<axes>(x, keep); });
}

/// Trailing, leading, middle, several, and all axes.
template <class F, class D>
void check_every_choice_of_axes() {
  check_axes<F, D, "c">();
  check_axes<F, D, "b">();
  check_axes<F, D, "a">();
  check_axes<F, D, "b c">();
  check_axes<F, D, "a b">();
  check_axes<F, D, "a c">();
  check_axes<F, D, "a b c">();
}

}  // namespace every_op
