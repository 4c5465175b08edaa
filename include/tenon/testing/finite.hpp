#pragma once

#include <cstdint>
#include <string>

#include <tenon/testing/close.hpp>

/// Checks for NaN and infinity.
namespace tenon::internal::testing {

/// Looks for NaN and infinity in the leaves of a tree, one after the other.
struct FiniteLeaves {
  CheckResult result{};

  void operator()(tree::Path const&, Key) {}
  template <TensorType A>
  void operator()(tree::Path const& path, A const& leaf) {
    search(path, actual_shape(leaf), leaf.sizes(), host_elements(leaf), leaf.size());
  }
  template <class T>
  void operator()(tree::Path const& path, T const& number) {
    search(path, Shape{}, unit_sizes(), &number, 1);
  }

 private:
  template <class P>
  void search(tree::Path const& path, Shape const& shape, Sizes const& sizes, P const& elements,
              std::int64_t count) {
    std::int64_t wrong = 0, first = -1;
    for (std::int64_t i = 0; i < count; ++i)
      if (!is_finite(wide(elements[i])) && wrong++ == 0) first = i;
    if (wrong == 0) return;
    std::string const others = count_text(wrong, count, "are not finite");
    add_failure(result, place_text(path, position_text(shape, sizes, first)) +
                            "expected a finite number, got " + element_text(elements[first]) +
                            (others.empty() ? "" : " (" + others.substr(2) + ")"));
  }
};

/// Checks that no element of a tensor, an expression, a number or a tree of them is NaN or
/// infinite. The message has the first position. PyTorch: `x.isfinite().all()`.
template <class X>
CheckResult check_finite(X const& x) {
  static_assert(has_leaves<std::remove_cvref_t<decltype(as_value(x))>>,
                "tenon: check_finite: expected a tensor, a number or a tree of them");
  FiniteLeaves leaves;
  tree::for_each<tree::Stored>(leaves, as_value(x));
  return leaves.result;
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_finite;

}  // namespace tenon::testing

/// Checks that no element is NaN or infinite: CHECK_FINITE(x).
#define CHECK_FINITE(...) TENON_REPORT(::tenon::testing::check_finite(__VA_ARGS__))
