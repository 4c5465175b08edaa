#pragma once

#include <cstring>
#include <new>

#include <tenon/core/config.hpp>
#include <tenon/eval/tape/kept.hpp>

namespace tenon {

namespace internal {

/// The bytes of an expression at an offset.
inline std::byte* at_place(void* recipe, std::uint32_t place) {
  return static_cast<std::byte*>(recipe) + place;
}
inline std::byte const* at_place(void const* recipe, std::uint32_t place) {
  return static_cast<std::byte const*>(recipe) + place;
}
inline SharedBuffer& buffer_at(void* recipe, std::uint32_t place) {
  return *std::launder(reinterpret_cast<SharedBuffer*>(at_place(recipe, place)));
}
inline SharedBuffer const& buffer_at(void const* recipe, std::uint32_t place) {
  return *std::launder(reinterpret_cast<SharedBuffer const*>(at_place(recipe, place)));
}

}  // namespace internal

/// (Every handle is copied as a tensor copies it; all bytes between them are plain data.)
TENON_RUNTIME void copy_recipe(void* to, void const* recipe, RecipeLayout const& layout) {
  std::memcpy(to, recipe, layout.bytes);
  std::uint32_t const* place = layout.places + layout.marks;
  for (std::uint32_t i = 0; i < layout.buffers; ++i, ++place) {
    SharedBuffer const& from = internal::buffer_at(recipe, *place);
    ::new (internal::at_place(to, *place)) SharedBuffer(from.is_exposed() ? from.copied() : from);
  }
  for (std::uint32_t i = 0; i < layout.memos; ++i, ++place)
    ::new (internal::at_place(to, *place)) Remembered();
}

TENON_RUNTIME void drop_recipe(void* recipe, RecipeLayout const& layout) {
  std::uint32_t const* place = layout.places + layout.marks;
  for (std::uint32_t i = 0; i < layout.buffers; ++i, ++place)
    internal::buffer_at(recipe, *place).~SharedBuffer();
  for (std::uint32_t i = 0; i < layout.memos; ++i, ++place)
    std::launder(reinterpret_cast<Remembered*>(internal::at_place(recipe, *place)))->~Remembered();
}

}  // namespace tenon
