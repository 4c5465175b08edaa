#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include <tenon/expr/checked.hpp>
#include <tenon/testing/elements.hpp>

namespace tenon::internal::testing {

/// The largest allowed difference: `absolute + relative * |expected|`.
struct Tolerance {
  double relative = 0;
  double absolute = 0;

  std::string text() const {
    return number_text(absolute) + " + " + number_text(relative) + " |expected|";
  }
};

/// The size of a real number of a dtype, in bytes.
template <class T>
inline constexpr std::size_t real_size = sizeof(T);
template <class T>
inline constexpr std::size_t real_size<std::complex<T>> = sizeof(T);

/// The tolerance for a dtype where none is given, as in PyTorch's `torch.testing.assert_close`:
/// none for integers and masks.
template <class T>
constexpr Tolerance default_tolerance() {
  if constexpr (std::is_integral_v<T>) return {0, 0};
  else if constexpr (real_size<T> == 8) return {1e-7, 1e-7};
  else if constexpr (real_size<T> == 4) return {1.3e-6, 1e-5};
  else if constexpr (std::is_same_v<T, float16>) return {1e-3, 1e-5};
  else return {1.6e-2, 1e-5};
}

/// Collects the differences of elements, and remembers the largest one.
class CloseReport {
 public:
  explicit CloseReport(std::optional<Tolerance> given) : given_(given) {}

  /// Compares two numbers; `place` is called for the largest difference.
  template <class A, class B, class Place>
  void add(A const& got, B const& expected, Place const& place,
           Tolerance const& usual = default_tolerance<A>()) {
    ++elements_;
    Tolerance const allowed = given_.value_or(usual);
    double const difference = distance(got, expected);
    double const most = allowed.absolute + allowed.relative * magnitude(expected);
    if (difference <= most && std::isfinite(magnitude(expected))) return;
    if (difference == 0) return;  // equal infinities
    ++different_;
    double const size =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    if (different_ > 1 && !(size > largest_)) return;
    largest_ = size;
    text_ = "expected " + number_text(expected) + ", got " + number_text(got) + place() +
            ": the difference is " + number_text(difference) + ", at most " + allowed.text() +
            " is allowed";
  }

  template <TensorType A, TensorType B>
  void add_all(tree::Path const& path, A const& got, B const& expected) {
    if (got.sizes() != expected.sizes()) return add_sizes(path, got, expected);
    for_each_element(
        [&](std::int64_t i, auto const& a, auto const& b) {
          add(a, b, [&] { return place_text(path, position_text(A::shape, got.sizes(), i)); });
        },
        got, expected);
  }

  Result result() const {
    if (!sizes_.empty()) return failed(sizes_);
    if (different_ == 0) return {};
    return failed(text_ + " (" + std::to_string(different_) + " of " + std::to_string(elements_) +
                  " elements differ)");
  }

 private:
  template <TensorType A, TensorType B>
  void add_sizes(tree::Path const& path, A const& got, B const& expected) {
    if (!sizes_.empty()) return;
    sizes_ = "expected the sizes " + size_tuple(with_run_time_sizes(B::shape, expected.sizes())) +
             ", got " + size_tuple(with_run_time_sizes(A::shape, got.sizes())) +
             place_text(path, "");
  }

  std::optional<Tolerance> given_;
  std::int64_t elements_ = 0;
  std::int64_t different_ = 0;
  double largest_ = 0;
  std::string text_;
  std::string sizes_;
};

struct CheckCloseName {
  static constexpr std::string_view name = "check_close";
};

/// Why two values cannot be compared, or `void`: tensors of different axes.
template <class A, class B>
constexpr auto close_mismatch() {
  if constexpr (Expression<A> && Expression<B>) return shape_mismatch<CheckCloseName, A, B>();
  else if constexpr (Expression<A> && is_scalar<B>)
    return shape_mismatch<CheckCloseName, A, Tensor<B, "">>();
  else if constexpr (is_scalar<A> && Expression<B>)
    return shape_mismatch<CheckCloseName, Tensor<A, "">, B>();
  else return std::type_identity<void>{};
}
template <class A, class B>
using CloseMismatch = typename decltype(close_mismatch<A, B>())::type;

/// Compares trees leaf by leaf, in all that is saved of them but random keys.
template <class A, class B>
void compare_trees(CloseReport& report, A const& got, B const& expected) {
  tree::zip<tree::Stored>(
      [&](tree::Path const& path, auto const& a, auto const& b) {
        using Leaf = std::remove_cvref_t<decltype(a)>;
        if constexpr (TensorType<Leaf>) report.add_all(path, host_values(a), host_values(b));
        else if constexpr (is_scalar<Leaf>) report.add(a, b, [&] { return place_text(path, ""); });
      },
      got, expected);
}

template <class A, class B>
Result compare(A const& got, B const& expected, std::optional<Tolerance> tolerance) {
  CloseReport report(tolerance);
  auto const nowhere = [] { return std::string(); };
  if constexpr (Expression<A> && Expression<B>)
    report.add_all(tree::Path{}, host_values(got), host_values(expected));
  else if constexpr (Expression<A>) report.add(host_values(got).item(), expected, nowhere);
  else if constexpr (Expression<B>) report.add(got, host_values(expected).item(), nowhere);
  else if constexpr (is_scalar<A> && is_scalar<B>) report.add(got, expected, nowhere);
  else compare_trees(report, got, expected);
  return report.result();
}

/// Whether two values are equal within a tolerance: tensors, expressions or numbers, or trees of
/// them of one structure. `got` and `expected` must have the same axes and sizes (nothing is
/// broadcast), and may have different dtypes. The difference may be `absolute + relative *
/// |expected|`: `{.relative = 1e-5}`; one number is both. Without a tolerance it depends on the
/// dtype: relative 1.3e-6 and absolute 1e-5 for `float`, 1e-7 for `double`, 1e-3 and 1e-5 for
/// `float16`, 1.6e-2 and 1e-5 for `bfloat16`, none for integers and masks. Equal infinities are
/// close; NaN is not close to anything. The text of a failure has the largest difference, with its
/// leaf and position. Axes that cannot agree do not compile. PyTorch:
/// `torch.testing.assert_close`; NumPy: `numpy.testing.assert_allclose`.
template <class A, class B>
  requires std::is_void_v<CloseMismatch<A, B>>
Result check_close(A const& got, B const& expected) {
  return compare(got, expected, std::nullopt);
}
template <class A, class B>
  requires std::is_void_v<CloseMismatch<A, B>>
Result check_close(A const& got, B const& expected, Tolerance tolerance) {
  return compare(got, expected, tolerance);
}
template <class A, class B>
  requires std::is_void_v<CloseMismatch<A, B>>
Result check_close(A const& got, B const& expected, double tolerance) {
  return compare(got, expected, Tolerance{tolerance, tolerance});
}
template <class A, class B, class R = CloseMismatch<A, B>>
  requires(!std::is_void_v<R>)
auto check_close(A const& got, B const& expected, Tolerance = {}) -> R;
template <class A, class B, class R = CloseMismatch<A, B>>
  requires(!std::is_void_v<R>)
auto check_close(A const& got, B const& expected, double) -> R;

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_close;
using internal::testing::Tolerance;

}  // namespace tenon::testing
