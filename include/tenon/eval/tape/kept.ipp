#pragma once

#include <cstring>
#include <new>

#include <tenon/core/config.hpp>
#include <tenon/eval/tape/kept.hpp>

namespace tenon::internal {

/// The bytes of an expression at an offset.
inline std::byte* at_place(void* expression, std::uint32_t place) {
  return static_cast<std::byte*>(expression) + place;
}
inline std::byte const* at_place(void const* expression, std::uint32_t place) {
  return static_cast<std::byte const*>(expression) + place;
}
inline SharedBuffer& buffer_at(void* expression, std::uint32_t place) {
  return *std::launder(reinterpret_cast<SharedBuffer*>(at_place(expression, place)));
}
inline SharedBuffer const& buffer_at(void const* expression, std::uint32_t place) {
  return *std::launder(reinterpret_cast<SharedBuffer const*>(at_place(expression, place)));
}

/// (Every handle is copied as a tensor copies it; all bytes between them are plain data.)
TENON_RUNTIME void copy_expression(void* to, void const* expression,
                                   ExpressionLayout const& layout) {
  std::memcpy(to, expression, layout.bytes);
  std::uint32_t const* place = layout.places + layout.marks;
  for (std::uint32_t i = 0; i < layout.buffers; ++i, ++place) {
    SharedBuffer const& from = buffer_at(expression, *place);
    ::new (at_place(to, *place)) SharedBuffer(from.is_exposed() ? from.copied() : from);
  }
  for (std::uint32_t i = 0; i < layout.memos; ++i, ++place)
    ::new (at_place(to, *place)) CachedValue();
}

TENON_RUNTIME void drop_expression(void* expression, ExpressionLayout const& layout) {
  std::uint32_t const* place = layout.places + layout.marks;
  for (std::uint32_t i = 0; i < layout.buffers; ++i, ++place)
    buffer_at(expression, *place).~SharedBuffer();
  for (std::uint32_t i = 0; i < layout.memos; ++i, ++place)
    std::launder(reinterpret_cast<CachedValue*>(at_place(expression, *place)))->~CachedValue();
}

}  // namespace tenon::internal
