#pragma once

#include <concepts>
#include <string>

#include <tenon/core/annotation/check.hpp>
#include <tenon/core/axis.hpp>
#include <tenon/core/format.hpp>
#include <tenon/expr/shape_of.hpp>
#include <tenon/testing/report.hpp>

/// Axes compared with a spec, in types and at run time.
namespace tenon::internal::testing {

/// The sizes that the names of a spec have in a shape of equal rank.
constexpr Shape sizes_of_names(Shape const& wanted, Shape const& got) {
  Shape result{};
  for (int i = 0; i < got.rank; ++i) {
    bool const binds = wanted[i].binds() && got[i].is_static();
    result[result.rank++] = binds ? named_axis(wanted[i].name.view(), got[i].size) : Axis{};
  }
  return result;
}

/// Whether an axis has the size of a spec's axis: a number, bounds, or an expression in names,
/// whose sizes are those of `names`. A number fits an expression in names without a size.
constexpr bool size_matches(Axis const& wanted, Axis const& got, Shape const& names) {
  if (wanted.is_unrelated()) return true;
  if (wanted.is_computed()) {
    AxisExtent const size = read_extent(wanted.expression.view(), &names).extent;
    AxisExtent const difference = size - symbolic_extent(got);
    return is_zero(difference) || (got.is_static() && !difference.is_constant());
  }
  if (wanted.is_static()) return got.size == wanted.size;
  return wanted.lower <= (got.is_static() ? got.size : got.lower) &&
         (got.is_static() ? got.size : got.upper) <= wanted.upper;
}

/// Whether an axis is as a spec requires: with its name, or without one, and of its size. `_` is
/// any axis; a name alone, `batch`, is an axis of any size.
constexpr bool axis_matches(Axis const& wanted, Axis const& got, Shape const& names) {
  if (wanted == Axis{}) return true;
  return wanted.name == got.name && size_matches(wanted, got, names);
}

/// The first axis that is not as the spec requires, -1 if the ranks differ, or the rank if all
/// axes match.
constexpr int first_mismatch(Shape const& wanted, Shape const& got) {
  if (wanted.rank != got.rank) return -1;
  Shape const names = sizes_of_names(wanted, got);
  int axis = 0;
  while (axis < got.rank && axis_matches(wanted[axis], got[axis], names)) ++axis;
  return axis;
}

constexpr bool shape_matches(Shape const& wanted, Shape const& got) {
  return first_mismatch(wanted, got) == got.rank;
}

inline std::string quoted(Shape const& shape) {
  return "\"" + std::string(format(shape).view()) + "\"";
}

/// Why a shape does not match: `expected "batch digit=10", got "batch=2 digit=12" (axis 1: expected
/// digit=10, got digit=12)`.
inline CheckResult compare_shapes(Shape const& wanted, Shape const& got) {
  int const axis = first_mismatch(wanted, got);
  if (axis == got.rank) return {};
  std::string const expected =
      axis < 0 ? std::to_string(wanted.rank) + (wanted.rank == 1 ? " axis" : " axes")
               : std::string(format(wanted[axis]).view());
  std::string const actual =
      axis < 0 ? std::to_string(got.rank) : std::string(format(got[axis]).view());
  return {false, "expected " + quoted(wanted) + ", got " + quoted(got) + " (" +
                     (axis < 0 ? "" : "axis " + std::to_string(axis) + ": ") + "expected " +
                     expected + ", got " + actual + ")"};
}

/// A well-formed spec as a shape; a malformed one does not compile:
/// `compile_error::malformed_spec`.
template <Spec S>
constexpr Shape const& wanted_shape() {
  static_cast<void>(sizeof(ReadSpec<S>));
  return parsed<S>.shape;
}

/// The shape of an expression with its run-time sizes. Nothing is evaluated.
template <Expression X>
constexpr Shape actual_shape(X const& x) {
  return with_run_time_sizes(X::shape, x.sizes());
}

/// The spec of a type and the spec that it should have; compilers print both if they do not match.
template <Spec got, Spec wanted>
concept SpecMatches = shape_matches(wanted_shape<wanted>(), parsed<got>.shape);

/// Checks that a tensor or an expression has the axes of a spec: their number, order and names; and
/// their sizes, static or at run time, where the spec has a number, bounds or an expression. `_` is
/// any axis. A mismatch is a failure at run time that has both specs and the axis; a malformed spec
/// does not compile. Nothing is evaluated. PyTorch: `assert x.shape == (2, 10)`.
template <Spec S, Expression X>
CheckResult check_shape(X const& x) {
  return compare_shapes(wanted_shape<S>(), actual_shape(x));
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_shape;

/// Whether a type, a tensor's or an expression's, has the axes of a spec for all run-time sizes:
/// `static_assert(testing::has_shape<decltype(y), "batch digit=10">)`. A number in the spec needs a
/// static size.
template <class X, Spec S>
concept has_shape =
    Expression<X> && internal::testing::SpecMatches<internal::spec_of<std::remove_cvref_t<X>>, S>;

}  // namespace tenon::testing

/// Checks the axes of a tensor or an expression: CHECK_SHAPE(y, "batch digit=10").
#define CHECK_SHAPE(x, spec) TENON_REPORT(::tenon::testing::check_shape<spec>(x))
