#pragma once

#include <tenon/backend/codegen/emit/context.hpp>
#include <tenon/core/config.hpp>

/// Emits one element of an expression, node by node as defined in `eval/element.hpp`.
namespace tenon::internal::codegen {

/// The element of a node at indices along its axes.
Value element_of(Walk& walk, Node e, Places const& at);

/// Adds a comment with the origin of a value: `relu "n k"`.
Value commented(Node e, Value const& value);

/// The element of a reduction.
Value reduced_element_of(Walk& walk, Node e, Places const& at);
/// The element of a contraction.
Value product_element_of(Walk& walk, Node e, Places const& at);

/// The strides of a node with explicit strides: literals if all sizes are static.
Quantities steps_of(Walk& walk, Node e);

/// The indices of operand k of an elementwise op at given indices.
Places places_of_operand(Node map, std::size_t k, Places const& at);

/// The values of an elementwise op's operands, followed by its own.
using MapValues = std::array<Value, 4>;
MapValues values_of_map(Walk& walk, Node map, Places const& at);

/// The indices into the operand of a view, or the table of a gather.
Places places_below(Walk& walk, Node e, Places const& at);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME Value commented(Node e, Value const& value) {
  if (!value.is_number())
    value.listing->comment(value.name, std::string(e->name).append(" \"").append(e->spec) + "\"");
  return value;
}

TENON_RUNTIME Value constant_element_of(Walk& walk, Node e) {
  Value const number = number_of(e);
  if (!walk.scalars.are_arguments) return number;
  return {walk.listing, walk.scalars.name(walk.listing, *e->text->dtype, number)};
}

/// An element of a memory.
TENON_RUNTIME Value read_element(Walk& walk, Node e, std::string const& memory,
                                 IndexText const& index) {
  return {walk.listing,
          walk.listing.value(e->text->dtype->text, memory + "[" + index.text + "]", index.names)};
}

TENON_RUNTIME Value leaf_element_of(Walk& walk, Node leaf, Places const& at) {
  if (walk.reads_own_product(leaf)) return {walk.listing, walk.product(at)};
  Memory const& memory = walk.memories[walk.memories.find(leaf)];
  IndexText const index = memory.is_view
                              ? strided_index(walk.indexing(), memory.strides, leaf.rank(), at)
                              : row_major_index(walk.indexing(), memory.sizes, leaf.rank(), at);
  return read_element(walk, leaf, memory.name, index);
}

TENON_RUNTIME Quantities steps_of(Walk& walk, Node e) {
  Identity const key = identity(walk, e);
  if (auto const known = walk.steps.find(key); known != walk.steps.end()) return known->second;
  Quantities steps{};
  for (std::size_t i = 0; i < max_rank; ++i) steps[i] = {e.steps().along[i]};
  if (!e.operand_at(0)->shape->is_static())
    steps = walk.memories.strides(e.rank(), e.steps().along);
  return walk.steps[key] = steps;
}

TENON_RUNTIME Value step_element_of(Walk& walk, Node e, Places const& at) {
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), e.rank(), at, e.steps().start);
  return read_element(walk, e, walk.memories[walk.memories.find(e.operand_at(0))].name, index);
}

TENON_RUNTIME Places places_of_operand(Node map, std::size_t k, Places const& at) {
  AxisMap const& axes = map->axes_of[k];
  Places own{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(map.operand_at(k).rank()); ++i)
    if (axes[i] >= 0) own[i] = at[static_cast<std::size_t>(axes[i])];
  return own;
}

TENON_RUNTIME MapValues values_of_map(Walk& walk, Node map, Places const& at) {
  MapValues values;
  std::size_t const count = map->operand_count;
  for (std::size_t k = 0; k < count; ++k)
    values[k] = element_of(walk, map.operand_at(k), places_of_operand(map, k, at));
  values[count] = commented(map, map->text->map->value(values.data()));
  return values;
}

TENON_RUNTIME Places places_below_move(Node e, Places const& at) {
  Places own{};
  for (std::size_t i = 0; i < max_rank; ++i) own[i].start = e.start()[i];
  for (std::size_t i = 0; i < static_cast<std::size_t>(e.rank()); ++i) {
    if ((*e->axes_of)[i] < 0) continue;
    Place& place = own[static_cast<std::size_t>((*e->axes_of)[i])];
    place.terms.insert(place.terms.end(), at[i].terms.begin(), at[i].terms.end());
    place.start += at[i].start;
  }
  return own;
}

/// The name of an index, clamped below `size`.
TENON_RUNTIME int kept_inside(Walk& walk, int id, Quantity const& size) {
  if (!walk.listing.functions().are_for_device) return id;
  std::string const pattern = "$0 < 0 ? 0 : $0 < $1 ? $0 : $1 - 1";
  return walk.listing.value(
      "i64", filled(pattern, {walk.listing.text(id), walk.variables.text(size)}), {id});
}

/// The index along the axis of a table for a gather.
TENON_RUNTIME Place chosen(Walk& walk, Node e, Places const& at) {
  int const id = e->text->index(element_of(walk, e.operand_at(1), at)).name;
  auto const axis = static_cast<std::size_t>(e->axis);
  return {{kept_inside(walk, id, sizes_of(walk, e.operand_at(0))[axis])}};
}

TENON_RUNTIME Places places_in_table(Walk& walk, Node e, Places const& at) {
  int const ids = e.is(NodeKind::take) ? e.operand_at(1).rank() : 0;
  Places of_id{}, own{};
  for (int i = 0; i < ids; ++i) {
    int const from = e->axis + i;
    of_id[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(from)];
  }
  for (int i = 0; i < e.operand_at(0).rank(); ++i) {
    int const from = i < e->axis ? i : i - 1 + ids;
    if (i != e->axis) own[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(from)];
  }
  own[static_cast<std::size_t>(e->axis)] = chosen(walk, e, e.is(NodeKind::take) ? of_id : at);
  return own;
}

TENON_RUNTIME Places places_below(Walk& walk, Node e, Places const& at) {
  if (e.is(NodeKind::index_map)) return places_below_move(e, at);
  if (!e.is(NodeKind::take_along)) return places_in_table(walk, e, at);
  Places own = at;
  own[static_cast<std::size_t>(e->axis)] = chosen(walk, e, at);
  return own;
}

TENON_RUNTIME Value element_of(Walk& walk, Node e, Places const& at) {
  if (e.is_leaf()) return leaf_element_of(walk, e, at);
  switch (e->kind) {
    case NodeKind::constant:
      return constant_element_of(walk, e);
    case NodeKind::step:
      return step_element_of(walk, e, at);
    case NodeKind::map:
      return values_of_map(walk, e, at)[e->operand_count];
    case NodeKind::reduction:
      return reduced_element_of(walk, e, at);
    case NodeKind::product:
      return product_element_of(walk, e, at);
    case NodeKind::index_map:
      return element_of(walk, e.operand_at(0), places_below(walk, e, at));
    default:
      return commented(e, element_of(walk, e.operand_at(0), places_below(walk, e, at)));
  }
}

}  // namespace tenon::internal::codegen

#endif
