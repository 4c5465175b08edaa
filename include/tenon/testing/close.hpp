#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include <tenon/eval/custom.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/unfit.hpp>
#include <tenon/testing/difference.hpp>
#include <tenon/testing/shape.hpp>
#include <tenon/tree/tree.hpp>

/// Tensors, trees and numbers compared within a tolerance.
namespace tenon::internal::testing {

/// The check in the errors of compilers.
struct CheckCloseName {
  static constexpr std::string_view name = "check_close";
};

/// Whether two expressions have axes that never agree.
template <class A, class B>
concept AxesNeverAgree = ExpressionType<A> && ExpressionType<B> && !assignable(B::shape, A::shape);

/// The axes in which two expressions never agree, as an undefined type; none where they may.
template <class A, class B>
struct UnfitAxes {};
template <class A, class B>
  requires AxesNeverAgree<A, B>
struct UnfitAxes<A, B> {
  using type = typename decltype(assignment_mistake<CheckCloseName, B, A>())::type;
};

/// Compares the leaves of trees, one after the other.
struct CloseLeaves {
  std::optional<Tolerance> tolerance;
  CheckResult result{};

  void operator()(tree::Path const& path, Key got, Key expected) {
    if (got != expected) add_failure(result, place_text(path, "") + "the keys differ");
  }

  template <TensorType A, TensorType B>
  void operator()(tree::Path const& path, A const& got, B const& expected) {
    if constexpr (AxesNeverAgree<A, B>) static_cast<void>(sizeof(typename UnfitAxes<A, B>::type));
    else if (got.sizes() != expected.sizes())
      add_failure(result, place_text(path, "") +
                              compare_shapes(actual_shape(expected), actual_shape(got)).text);
    else
      compare(path, actual_shape(got), got.sizes(), host_elements(got), host_elements(expected),
              got.size());
  }
  template <TensorType A, class U>
  void operator()(tree::Path const& path, A const& got, U const& expected) {
    compare(path, actual_shape(got), got.sizes(), host_elements(got), &expected, got.size(), true);
  }
  template <class T, class U>
  void operator()(tree::Path const& path, T const& got, U const& expected) {
    compare(path, Shape{}, unit_sizes(), &got, &expected, 1);
  }

 private:
  template <class P, class Q>
  void compare(tree::Path const& path, Shape const& shape, Sizes const& sizes, P const& got,
               Q const& expected, std::int64_t count, bool is_number = false) {
    using T = std::remove_cvref_t<decltype(got[0])>;
    using U = std::remove_cvref_t<decltype(expected[0])>;
    Tolerance const allowed = tolerance.value_or(default_tolerance<T, U>());
    Compared<T, U> const all{got, expected, count, is_number};
    Difference const found = difference(all, allowed);
    if (found.wrong == 0) return;
    add_failure(result, place_text(path, position_text(shape, sizes, found.place)) +
                            text_of(found, all, allowed));
  }
};

/// Whether a type has anything to check: a tensor, a number, or a tree with one of these. (Strings
/// and enumerations are skipped, as they are in files.)
template <class T>
inline constexpr bool has_leaves =
    !std::is_same_v<tree::LeafTypesOf<tree::Stored, T>, tree::LeafTypes<>>;

template <class A, class B>
CheckResult compare_trees(A const& got, B const& expected, std::optional<Tolerance> tolerance) {
  static_assert(has_leaves<A> && has_leaves<B>,
                "tenon: check_close: expected a tensor, a number or a tree of them");
  CloseLeaves leaves{tolerance};
  try {
    // (The messages of `zip` take the first tree as the expected one.)
    tree::zip<tree::Stored>(
        [&](tree::Path const& path, auto const& b, auto const& a) { leaves(path, a, b); }, expected,
        got);
  } catch (ShapeError const& error) {  // vectors of other sizes
    add_failure(leaves.result, error.what());
  }
  return leaves.result;
}

/// Checks that elements are close: |got - expected| <= absolute + relative |expected|. Compares
/// tensors, expressions, numbers, and trees of them, which have their path in the message; a number
/// is compared with every element. dtypes and devices may differ. The tolerance is
/// `{.relative = 1e-5, .absolute = 1e-8}`, a number for both, or by default PyTorch's for the
/// dtype. Integers and masks are exact by default. NaN is close to nothing, unless `.equal_nan`;
/// infinities are close to themselves. Axes that do not agree do not compile; other run-time sizes
/// are a failure. PyTorch: `torch.testing.assert_close`, NumPy: `assert_allclose`.
template <class A, class B>
  requires(!AxesNeverAgree<A, B>)
CheckResult check_close(A const& got, B const& expected) {
  return compare_trees(as_value(got), as_value(expected), {});
}
template <class A, class B>
  requires(!AxesNeverAgree<A, B>)
CheckResult check_close(A const& got, B const& expected, Tolerance const& tolerance) {
  return compare_trees(as_value(got), as_value(expected), tolerance);
}
template <class A, class B>
  requires(!AxesNeverAgree<A, B>)
CheckResult check_close(A const& got, B const& expected, double tolerance) {
  return check_close(got, expected, Tolerance{tolerance, tolerance});
}
template <class A, class B, class... Rest, class Mistake = typename UnfitAxes<A, B>::type>
auto check_close(A const&, B const&, Rest const&...) -> Mistake;

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_close;
using internal::testing::Tolerance;

}  // namespace tenon::testing

/// Checks that elements are close: CHECK_CLOSE(got, expected), CHECK_CLOSE(got, expected, 1e-4) or
/// CHECK_CLOSE(got, expected, {.relative = 1e-4}).
#define CHECK_CLOSE(...) TENON_REPORT(::tenon::testing::check_close(__VA_ARGS__))
