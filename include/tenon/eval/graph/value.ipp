#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/value.hpp>

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
