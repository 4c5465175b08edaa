#pragma once

#include <algorithm>

#include <tenon/backend/codegen/emit/context.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

TENON_RUNTIME bool Walk::reads_own_product(Node leaf) const {
  if (leaf.is(NodeKind::tensor))
    return own_value != nullptr && leaf->access->elements(leaf.address()) == own_value;
  return leaf.is(NodeKind::earlier) &&
         leaf->access->memory(leaf.address()).earlier == tenon::internal::own_product;
}

TENON_RUNTIME void identify(Walk& walk, Node e, Identity& identity) {
  identity.push_back(reinterpret_cast<std::uintptr_t>(e.type()));
  if (e.is_leaf()) identity.push_back(walk.reads_own_product(e) ? 0 : walk.memories.find(e) + 1);
  if (e.is(NodeKind::constant))
    identity.push_back(std::bit_cast<std::uint64_t>(number_of(e).number));
  e.each_number([&](std::int64_t n) { identity.push_back(static_cast<std::uint64_t>(n)); });
  e.each([&](Node operand) { identify(walk, operand, identity); });
}
TENON_RUNTIME Identity identity(Walk& walk, Node e) {
  Identity result;
  identify(walk, e, result);
  return result;
}

TENON_RUNTIME Quantities found_sizes_of_map(Walk& walk, Node e) {
  Quantities result = walk.memories.quantities(*e->shape, e.sizes());
  for (std::size_t k = 0; k < e->operand_count; ++k) {
    Quantities const own = sizes_of(walk, e.operand_at(k));
    for (std::size_t i = 0; i < static_cast<std::size_t>(e.operand_at(k).rank()); ++i) {
      int const axis = e->axes_of[k][i];
      if (axis >= 0) walk.variables.same(result[static_cast<std::size_t>(axis)], own[i]);
    }
  }
  return result;
}

TENON_RUNTIME Quantities found_sizes_of_reduction(Walk& walk, Node e) {
  Quantities const from = sizes_of(walk, e.operand_at(0));
  Quantities result{};
  std::size_t to = 0;
  for (int i = 0; i < e.operand_at(0).rank(); ++i) {
    bool const reductions = has_axis(e->axes, i);
    if (!reductions) result[to] = from[static_cast<std::size_t>(i)];
    to += reductions && !e->keeps ? 0u : 1u;
  }
  return result;
}

TENON_RUNTIME Quantities found_sizes_of_take(Walk& walk, Node e) {
  Quantities const rows = sizes_of(walk, e.operand_at(0)), chosen = sizes_of(walk, e.operand_at(1));
  int const ids = e.operand_at(1).rank();
  Quantities result{};
  for (int i = 0; i < e.rank(); ++i) {
    bool const is_chosen = i >= e->axis && i < e->axis + ids;
    int const from = is_chosen ? i - e->axis : i < e->axis ? i : i - ids + 1;
    result[static_cast<std::size_t>(i)] =
        (is_chosen ? chosen : rows)[static_cast<std::size_t>(from)];
  }
  return result;
}

TENON_RUNTIME Quantities found_sizes_of_take_along(Walk& walk, Node e) {
  Quantities const table = sizes_of(walk, e.operand_at(0)), ids = sizes_of(walk, e.operand_at(1));
  for (std::size_t i = 0; i < max_rank; ++i)
    if (i != static_cast<std::size_t>(e->axis)) walk.variables.same(ids[i], table[i]);
  return ids;
}

TENON_RUNTIME std::array<Quantity, max_labels> label_quantities(Walk& walk, Node e) {
  Quantities const a = sizes_of(walk, e.operand_at(0)), b = sizes_of(walk, e.operand_at(1));
  std::array<Quantity, max_labels> result{};
  auto const add = [&](AxisMap const& labels, Quantities const& sizes, int rank) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      if (labels[i] < 0) continue;
      Quantity& known = result[static_cast<std::size_t>(labels[i])];
      if (known.is_one()) known = sizes[i];
      else walk.variables.same(known, sizes[i]);
    }
  };
  add(e->contraction->left, a, e.operand_at(0).rank());
  add(e->contraction->right, b, e.operand_at(1).rank());
  return result;
}

TENON_RUNTIME Quantities found_sizes_of_product(Walk& walk, Node e) {
  auto const labels = label_quantities(walk, e);
  Quantities result{};
  auto const rank = (std::min)(static_cast<std::size_t>(e.rank()), result.size());  // for g++ 12
  for (std::size_t i = 0; i < rank; ++i) {
    int const label = e->contraction->out[i];
    if (label >= 0) result[i] = labels[static_cast<std::size_t>(label)];
  }
  return result;
}

TENON_RUNTIME Quantities found_sizes_of_move(Walk& walk, Node e) {
  (void)sizes_of(walk, e.operand_at(0));
  return walk.memories.quantities(*e->shape, e.sizes());
}

TENON_RUNTIME Quantities found_sizes_of_choice(Walk& walk, Node e) {
  if (e.is(NodeKind::take)) return found_sizes_of_take(walk, e);
  return e.is(NodeKind::pick) ? sizes_of(walk, e.operand_at(1))
                              : found_sizes_of_take_along(walk, e);
}

TENON_RUNTIME Quantities found_sizes_of_leaf(Walk& walk, Node leaf) {
  if (walk.reads_own_product(leaf)) return walk.product_sizes;
  return walk.memories[walk.memories.find(leaf)].sizes;
}

TENON_RUNTIME Quantities found_sizes(Walk& walk, Node e) {
  if (e.is_leaf()) return found_sizes_of_leaf(walk, e);
  if (e.is_gather()) return found_sizes_of_choice(walk, e);
  switch (e->kind) {
    case NodeKind::map:
      return found_sizes_of_map(walk, e);
    case NodeKind::reduction:
      return found_sizes_of_reduction(walk, e);
    case NodeKind::product:
      return found_sizes_of_product(walk, e);
    case NodeKind::index_map:
      return found_sizes_of_move(walk, e);
    default:
      return walk.memories.quantities(*e->shape, e.sizes());  // a step; a constant has none
  }
}

TENON_RUNTIME Quantities sizes_of(Walk& walk, Node e) {
  Identity const key = identity(walk, e);
  if (auto const known = walk.sizes.find(key); known != walk.sizes.end()) return known->second;
  Quantities const found = found_sizes(walk, e);
  return walk.sizes[key] = found;
}

}  // namespace tenon::internal::codegen
