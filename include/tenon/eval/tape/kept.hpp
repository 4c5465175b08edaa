#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/expr/places.hpp>
#include <tenon/ir/describe.hpp>

/// Expressions of all types as bytes that contain handles: the checks and copies of a recording are
/// then not templates of the expression's type.
namespace tenon::internal {

/// Offsets in an expression. Without memory for them they are only counted.
struct PlaceList {
  std::uint32_t* to = nullptr;
  std::uint32_t size = 0;

  constexpr void add(std::size_t place) {
    if (to != nullptr) to[size] = static_cast<std::uint32_t>(place);
    ++size;
  }
};

/// The offsets of the members of an expression that need special treatment.
struct ExpressionPlaces {
  PlaceList marks;         ///< Tape marks, except those behind `stop_gradient`.
  PlaceList buffers;       ///< Handles of shared memory of the host.
  PlaceList memos;         ///< Storage for cached values.
  bool is_plain = true;    ///< Whether the rest is trivially copyable.
  bool is_behind = false;  ///< Whether the traversal is behind `stop_gradient`.
};

constexpr void add_places(ExpressionPlaces& to, ir::NodeType const& type, std::size_t at) {
  if (type.leaf != nullptr) {
    to.is_plain = to.is_plain && type.leaf->is_plain;
    if (type.kind == NodeKind::tensor && !to.is_behind) to.marks.add(at + type.leaf->mark);
    if (type.leaf->has_buffer) to.buffers.add(at + type.leaf->storage);
    return;
  }
  bool const is_behind = to.is_behind;
  to.is_behind = is_behind || type.stops_gradient;
  if (type.is_cached) to.memos.add(at + type.cached_value);
  for (std::size_t k = 0; k < type.operand_count; ++k)
    add_places(to, *type.operands[k], at + type.places[k]);
  to.is_behind = is_behind;
}

template <class E>
inline constexpr ExpressionPlaces counted_places = [] {
  ExpressionPlaces counted;
  add_places(counted, node_type<E>, 0);
  return counted;
}();

/// All such offsets of an expression: those of marks, buffers and caches.
template <class E>
inline constexpr auto expression_places = [] {
  constexpr ExpressionPlaces const& counted = counted_places<E>;
  std::array<std::uint32_t, counted.marks.size + counted.buffers.size + counted.memos.size + 1>
      all{};
  ExpressionPlaces places;
  places.marks.to = all.data();
  places.buffers.to = places.marks.to + counted.marks.size;
  places.memos.to = places.buffers.to + counted.buffers.size;
  add_places(places, node_type<E>, 0);
  return all;
}();

/// Size and offsets of a type of expression.
struct ExpressionLayout {
  std::uint32_t bytes, marks, buffers, memos;
  std::uint32_t const* places;
  ir::NodeType const* type;
};
template <class E>
inline constexpr ExpressionLayout expression_layout{sizeof(E),
                                                    counted_places<E>.marks.size,
                                                    counted_places<E>.buffers.size,
                                                    counted_places<E>.memos.size,
                                                    expression_places<E>.data(),
                                                    &node_type<E>};

/// Whether a copy of an expression can be made from its layout.
template <class E>
inline constexpr bool is_kept_plain = counted_places<E>.is_plain;

/// True where an expression depends on something that this thread records. Throws `Error` where one
/// of its marks belongs to the recording of another thread, or to an enclosing one.
bool depends_on_recording(void const* expression, ExpressionLayout const& layout);

/// Whether a value depends on something that this thread records. Integers and masks never do.
template <TensorType E>
bool depends_on_recording(E const& tensor) {
  check_recording(tensor.mark());
  return AdjointType<typename E::value_type> && is_recorded(tensor.mark());
}
template <class E>
bool depends_on_recording(E const& e) {
  return depends_on_recording(&e, expression_layout<E>);
}

/// Copies and destroys an expression.
void copy_expression(void* to, void const* expression, ExpressionLayout const& layout);
void drop_expression(void* expression, ExpressionLayout const& layout);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <cstring>
#include <new>

#include <tenon/core/config.hpp>

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

/// (Every mark is checked: one that another thread records throws.)
TENON_RUNTIME bool depends_on_recording(void const* expression, ExpressionLayout const& layout) {
  std::uint32_t const own = recording, around = recording_around;
  bool found = false;
  for (std::uint32_t i = 0; i < layout.marks; ++i) {
    TapeMark mark;
    std::memcpy(&mark, static_cast<std::byte const*>(expression) + layout.places[i], sizeof mark);
    if (mark.tape == 0) continue;
    if (mark.tape == own || mark.tape == around) found = true;
    else refuse_other_recording(mark);
  }
  return found;
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

#endif
