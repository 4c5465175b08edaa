#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/graph.hpp>

namespace tenon::internal::graph {

/// Strided elements, and their history if they depend on a leaf.
struct Value {
  Extent extent{};
  Sizes strides{};
  std::int64_t start = 0;
  Element element{};
  SharedBuffer memory{};
  bool varies = false;  ///< Whether it depends on a leaf.
  std::vector<Id> inputs{};
  Owner<Rule const> rule{};

  std::byte* data() const { return memory.as<std::byte>() + start * element.bytes; }

  bool is_packed() const;
};

Value value_of(Elements elements);

/// A value with uninitialised row-major elements.
Value new_value(Element element, Extent const& extent);

/// Calls `row(index)` for the first element of every row along the last axis.
template <class F>
void each_row(Extent const& extent, F const& row) {
  ElementIndex index{};
  if (extent.count() == 0) return;
  do row(index);
  while (next(index, extent.sizes, extent.rank - 1));
}
std::int64_t row_length(Extent const& extent);
std::int64_t row_step(Extent const& extent, Sizes const& strides);

/// The elements of a value, row-major: its own memory where they are contiguous.
SharedBuffer packed(Value const& value);

/// A few consecutive elements, row-major: the value's own memory where they are contiguous.
std::byte const* some_elements(Value const& x, std::int64_t begin, std::int64_t count,
                               std::byte* scratch);

/// Scatter-add of the elements of `from` to `to` by a reordering; the sums are kept in double.
template <class T>
[[gnu::cold]] void add_spread(Value const& from, Reordering const& reordering, Value const& to) {
  std::vector<double> sums(static_cast<std::size_t>(to.extent.count()));
  Sizes const strides = reordering.strides(to.strides);
  std::int64_t const first = offset(to.strides, reordering.start, to.extent.rank);
  std::int64_t const length = row_length(from.extent), step = row_step(from.extent, strides);
  std::int64_t const from_step = row_step(from.extent, from.strides);
  each_row(from.extent, [&](ElementIndex const& index) {
    double* const sum = sums.data() + first + offset(strides, index, from.extent.rank);
    T const* const x =
        reinterpret_cast<T const*>(from.data()) + offset(from.strides, index, from.extent.rank);
    for (std::int64_t i = 0; i < length; ++i)
      sum[i * step] += static_cast<double>(x[i * from_step]);
  });
  for (std::size_t i = 0; i < sums.size(); ++i)
    reinterpret_cast<T*>(to.data())[i] = static_cast<T>(sums[i]);
}

/// Scatter-add of elements to `to` at positions.
template <class T>
[[gnu::cold]] void add_put(SharedBuffer const& elements, std::vector<std::int64_t> const& positions,
                           Value const& to) {
  T* const sums = reinterpret_cast<T*>(to.data());
  for (std::int64_t i = 0; i < to.extent.count(); ++i) sums[i] = T(0);
  T const* from = elements.as<T>();
  for (std::int64_t const position : positions) sums[position] += *from++;
}

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::graph {

TENON_RUNTIME bool Value::is_packed() const {
  Sizes const packed = row_major(extent.sizes, extent.rank);
  for (int i = 0; i < extent.rank; ++i) {
    if (at(extent.sizes, i) != 1 && at(strides, i) != at(packed, i)) return false;
  }
  return true;
}

TENON_RUNTIME Value value_of(Elements elements) {
  Value value;
  value.extent = elements.extent;
  value.strides = row_major(elements.extent.sizes, elements.extent.rank);
  value.element = elements.element;
  value.memory = std::move(elements.memory);
  return value;
}

TENON_RUNTIME Value new_value(Element element, Extent const& extent) {
  return value_of(
      {element, extent, SharedBuffer(static_cast<std::size_t>(extent.count()) * element.bytes)});
}

TENON_RUNTIME std::int64_t row_length(Extent const& extent) {
  return extent.rank == 0 ? 1 : at(extent.sizes, extent.rank - 1);
}

TENON_RUNTIME std::int64_t row_step(Extent const& extent, Sizes const& strides) {
  return extent.rank == 0 ? 0 : at(strides, extent.rank - 1);
}

TENON_RUNTIME SharedBuffer packed(Value const& value) {
  std::size_t const element = value.element.bytes;
  std::size_t const bytes = static_cast<std::size_t>(value.extent.count()) * element;
  if (value.start == 0 && value.is_packed() && value.memory.bytes() == bytes) return value.memory;
  SharedBuffer copy(bytes);
  std::byte* to = copy.as<std::byte>();
  std::int64_t const length = row_length(value.extent);
  std::int64_t const step = row_step(value.extent, value.strides);
  each_row(value.extent, [&](ElementIndex const& index) {
    std::int64_t const first = offset(value.strides, index, value.extent.rank);
    for (std::int64_t i = 0; i < length; ++i, to += element)
      std::memcpy(to, value.data() + (first + i * step) * value.element.bytes, element);
  });
  return copy;
}

TENON_RUNTIME std::byte const* some_elements(Value const& x, std::int64_t begin, std::int64_t count,
                                             std::byte* scratch) {
  if (x.is_packed()) return x.data() + begin * x.element.bytes;
  ElementIndex index = unravel(begin, x.extent.sizes, x.extent.rank);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t const from = offset(x.strides, index, x.extent.rank);
    std::memcpy(scratch + i * x.element.bytes, x.data() + from * x.element.bytes, x.element.bytes);
    next(index, x.extent.sizes, x.extent.rank);
  }
  return scratch;
}

}  // namespace tenon::internal::graph

#endif
