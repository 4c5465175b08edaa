#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tree/walk.hpp>

namespace tenon::training {

/// A value that is NaN or infinite where finite ones are expected.
struct NotFiniteError : Error {
  using Error::Error;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// The elements of a tensor that are not finite.
struct NotFinite {
  std::int64_t nans = 0, infinities = 0;
  std::int64_t first = -1;  ///< Its place in row-major order.
  double value = 0;         ///< That of the first one.

  bool any() const { return first >= 0; }
};

template <class T>
NotFinite find_not_finite(T const* elements, std::int64_t count) {
  NotFinite found;
  for (std::int64_t i = 0; i < count; ++i) {
    auto const x = static_cast<Computed<T>>(elements[i]);
    if (std::isfinite(x)) [[likely]]
      continue;
    ++(std::isnan(x) ? found.nans : found.infinities);
    if (found.first < 0) found.first = i, found.value = static_cast<double>(x);
  }
  return found;
}

/// (Of a complex number, both parts.)
template <ComplexType T>
NotFinite find_not_finite(T const* elements, std::int64_t count) {
  using Part = typename T::value_type;
  NotFinite found = find_not_finite(reinterpret_cast<Part const*>(elements), 2 * count);
  if (found.any()) found.first /= 2;
  return found;
}

/// "nan at (1, 5), 3 NaN and 1 infinite of 1,024 elements".
std::string not_finite_text(NotFinite const& found, Sizes const& sizes, int rank);

/// Visits the leaves of a tree and throws at the first that is not finite.
struct FiniteTree {
  std::string_view who;

  template <TensorType X>
  void operator()(tree::Path const& path, X const& leaf) const {
    using T = typename X::value_type;
    if constexpr (FloatType<T> || ComplexType<T>) {
      auto const elements = host_elements(leaf);
      NotFinite const found = find_not_finite<T>(elements, leaf.size());
      if (found.any()) refuse(path.text(), not_finite_text(found, leaf.sizes(), X::rank));
    }
  }

 private:
  [[noreturn, gnu::cold]] void refuse(std::string const& path, std::string const& got) const {
    std::string const what = std::string(who) + (who.empty() || path.empty() ? "" : ": ") + path;
    fail<tenon::training::NotFiniteError>(
        {.who = "check_finite", .what = what, .expected = "finite elements", .got = got});
  }
};

/// Traversal of all tensors with NaN or infinity, also within `Frozen`.
struct FloatTensors {
  template <class T>
  static constexpr bool visits = tree::is_differentiable<T>::value;
  static constexpr bool opens_frozen = true;
};

/// Throws `NotFiniteError` where an element of a tensor, an expression or a tree of tensors is NaN
/// or infinite, with `who`, the path, the index of the first and the numbers of both. Integers are
/// finite. JAX: `jax.debug_nans` for one value.
template <class X>
void check_finite(X const& x, std::string_view who = {}) {
  FiniteTree const check{who};
  tree::for_each<FloatTensors>(check, as_value(x));
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::check_finite;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <tenon/train/inspect/columns.hpp>

namespace tenon::internal::training {

/// The index of an element: "(1, 0, 5)"; "()" in a scalar.
inline std::string index_text(Sizes const& sizes, int rank, std::int64_t place) {
  std::string text = ")";
  for (int axis = rank; axis-- > 0;) {
    std::int64_t const size = at(sizes, axis);
    text.insert(0, std::to_string(place % size) + (axis + 1 < rank ? ", " : ""));
    place /= size;
  }
  return "(" + text;
}

TENON_RUNTIME std::string not_finite_text(NotFinite const& found, Sizes const& sizes, int rank) {
  std::string const counts = with_commas(found.nans) + " NaN and " + with_commas(found.infinities) +
                             " infinite of " + with_commas(count(sizes, rank)) + " elements";
  std::string const value = std::isnan(found.value) ? "nan" : digits_text(found.value);
  return value + " at " + index_text(sizes, rank, found.first) + ", " + counts;
}

}  // namespace tenon::internal::training

#endif
