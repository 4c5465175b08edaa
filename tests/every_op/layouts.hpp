#pragma once

// The possible layouts of an operand for a result with axes "row column".

#include "reference.hpp"

#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/views.hpp>

namespace every_op {

using namespace tenon::internal;

/// The extent of a result.
struct Area {
  std::int64_t rows;
  std::int64_t columns;
};

inline std::vector<Area> areas() {
  return {{3, 2 * lane_count + 3}, {1, 1}, {0, 5}, {4, 0}, {2, lane_count}, {5, 1}, {1, 7}};
}

/// Each layout allocates a tensor for an extent, presents it as an operand, and maps each index of
/// the result to an element of the tensor.
struct Full {
  static constexpr std::string_view name = "full";
  template <class T, class D>
  using Value = Tensor<T, "row column", D>;
  static Sizes sizes(Area e) { return {e.rows, e.columns, 1, 1, 1, 1, 1, 1}; }
  static auto const& view(auto const& x) { return x; }
  static std::int64_t at(Area e, std::int64_t i, std::int64_t j) { return i * e.columns + j; }
};

struct Single {
  static constexpr std::string_view name = "a scalar";
  template <class T, class D>
  using Value = Tensor<T, "", D>;
  static Sizes sizes(Area) { return tenon::internal::unit_sizes(); }
  static auto const& view(auto const& x) { return x; }
  static std::int64_t at(Area, std::int64_t, std::int64_t) { return 0; }
};

/// Aligned from the right.
struct OneRow {
  static constexpr std::string_view name = "a row";
  template <class T, class D>
  using Value = Tensor<T, "_", D>;
  static Sizes sizes(Area e) { return {e.columns, 1, 1, 1, 1, 1, 1, 1}; }
  static auto const& view(auto const& x) { return x; }
  static std::int64_t at(Area, std::int64_t, std::int64_t j) { return j; }
};

/// Aligned by its name.
struct OneColumn {
  static constexpr std::string_view name = "a column by its name";
  template <class T, class D>
  using Value = Tensor<T, "row", D>;
  static Sizes sizes(Area e) { return {e.rows, 1, 1, 1, 1, 1, 1, 1}; }
  static auto const& view(auto const& x) { return x; }
  static std::int64_t at(Area, std::int64_t i, std::int64_t) { return i; }
};

/// Broadcast along an axis of static size 1.
struct Stretched {
  static constexpr std::string_view name = "stretched columns";
  template <class T, class D>
  using Value = Tensor<T, "_ 1", D>;
  static Sizes sizes(Area e) { return {e.rows, 1, 1, 1, 1, 1, 1, 1}; }
  static auto const& view(auto const& x) { return x; }
  static std::int64_t at(Area, std::int64_t i, std::int64_t) { return i; }
};

struct Transposed {
  static constexpr std::string_view name = "transposed";
  template <class T, class D>
  using Value = Tensor<T, "column row", D>;
  static Sizes sizes(Area e) { return {e.columns, e.rows, 1, 1, 1, 1, 1, 1}; }
  static auto view(auto const& x) { return transpose(x); }
  static std::int64_t at(Area e, std::int64_t i, std::int64_t j) { return j * e.rows + i; }
};

/// A slice of a larger tensor: none of its rows is aligned in memory.
struct Sliced {
  static constexpr std::string_view name = "unaligned";
  template <class T, class D>
  using Value = Tensor<T, "_ _", D>;
  static Sizes sizes(Area e) { return {e.rows + 1, e.columns + 3, 1, 1, 1, 1, 1, 1}; }
  static auto view(auto const& x) {
    auto const sizes = x.sizes();
    return slice<1>(slice<0>(x, 1, sizes[0]), 1, sizes[1] - 2);
  }
  static std::int64_t at(Area e, std::int64_t i, std::int64_t j) {
    return (i + 1) * (e.columns + 3) + j + 1;
  }
};

/// Numbers that are well separated from zero and from each other, by operations of one rounding, so
/// that no compiler contracts them.
inline double ordinary(std::int64_t i, op::Domain domain) {
  double const share = static_cast<double>(i + 1) * 0.6180339887498949;
  double const width = domain == op::Domain::within_one ? 0.6 : 1.9;
  double const least = domain == op::Domain::above_one ? 1.3 : 0.3;
  double const size = std::fma(width, std::fmod(share, 1.0), least);
  bool const is_positive = domain == op::Domain::positive || domain == op::Domain::above_one;
  return is_positive || i % 3 != 1 ? size : -size;
}

template <class L, class T, class D>
auto operand(Area e, std::int64_t seed, op::Domain domain) {
  using Value = typename L::template Value<T, D>;
  Value x = Value::uninitialised(L::sizes(e));
  T* const to = x.mutable_data();
  for (std::int64_t i = 0; i < x.size(); ++i)
    to[i] = static_cast<T>(ordinary(i * 5 + seed, domain));
  return x;
}

}  // namespace every_op
