#pragma once

#include <cstdint>
#include <string>

#include <tenon/testing/elements.hpp>

namespace tenon::internal::testing {

/// Counts elements that are NaN or infinite, and remembers the first one.
class FiniteReport {
 public:
  template <class T>
  void add(tree::Path const& path, T const& number) {
    ++elements_;
    if (std::isfinite(magnitude(number))) return;
    if (not_finite_++ == 0) first_ = number_text(number) + place_text(path, "");
  }
  template <TensorType X>
  void add(tree::Path const& path, X const& x) {
    elements_ += x.size();
    for_each_element(
        [&](std::int64_t i, auto const& element) {
          if (std::isfinite(magnitude(element))) return;
          if (not_finite_++ == 0)
            first_ = number_text(element) + place_text(path, position_text(X::shape, x.sizes(), i));
        },
        x);
  }
  Result result() const {
    if (not_finite_ == 0) return {};
    return failed("expected finite numbers, got " + first_ + " (" + std::to_string(not_finite_) +
                  " of " + std::to_string(elements_) + " are not finite)");
  }

 private:
  std::int64_t elements_ = 0;
  std::int64_t not_finite_ = 0;
  std::string first_;
};

/// Whether no element is NaN or infinite: of a tensor, an expression, a number, or a tree of them.
/// The text of a failure has the first such element, with its leaf and position. PyTorch:
/// `torch.isfinite(x).all()`.
template <class X>
Result check_finite(X const& x) {
  FiniteReport report;
  if constexpr (Expression<X>) report.add(tree::Path{}, host_values(x));
  else
    tree::for_each<tree::Stored>(
        [&](tree::Path const& path, auto const& leaf) {
          using Leaf = std::remove_cvref_t<decltype(leaf)>;
          if constexpr (TensorType<Leaf>) report.add(path, host_values(leaf));
          else if constexpr (is_scalar<Leaf>) report.add(path, leaf);
        },
        x);
  return report.result();
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_finite;

}  // namespace tenon::testing
