#pragma once

#include <functional>
#include <map>
#include <set>

#include <tenon/backend/codegen/node/memory.hpp>
#include <tenon/backend/codegen/node/scalars.hpp>
#include <tenon/backend/codegen/text/index.hpp>
#include <tenon/backend/codegen/text/row_partition.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

/// The identity of an expression: equal types over equal leaves are equal.
using Identity = std::vector<std::uint64_t>;

/// The reductions of an expression that separate kernels compute in chunks: the partial results are
/// in memory, row after row.
struct Reduced {
  struct Parts {
    std::string_view type;
    std::int64_t elements, element_bytes;
  };
  /// A node by its address and its type; equal reductions share partial results.
  std::map<std::pair<void const*, void const*>, std::size_t> places{};
  std::vector<Parts> all{};

  static std::pair<void const*, void const*> node(Node e) { return {e.address(), e.type()}; }
  bool has(Node e) const { return places.contains(node(e)); }
  std::size_t place_of(Node e) const { return places.at(node(e)); }
};

/// The codegen context of a kernel.
struct Walk {
  explicit Walk(Functions& functions) : listing(functions), scalars{functions.are_for_device} {}
  Walk(Walk const&) = delete;

  Listing listing;
  Variables variables;
  Memories memories{variables};
  Scalars scalars;
  Rows rows{};
  Quantities product_sizes{};
  Quantities steps_of_result{};  ///< If it is not row-major.
  bool has_steps_of_result = false;
  std::function<int(Places const&)> product;  ///< The name of an element of `own_product`.
  void const* own_value = nullptr;            ///< The memory that represents it; or null.
  std::map<Identity, Quantities> sizes{};     ///< Of nodes, by identity.
  std::map<Identity, Quantities> steps{};     ///< Of nodes with explicit strides.
  std::map<Identity, int> reductions{};       ///< Names, by reduction and indices.

  Cut cut{};
  std::vector<int> apart{};          ///< Blocks in which work items of a group diverge.
  std::set<std::string> shared{};    ///< Names of group memory.
  std::string piece{};               ///< The chunk of the row, if rows are split.
  Quantity pieces{};                 ///< The number of chunks.
  Reduced const* reduced = nullptr;  ///< Reductions computed in chunks by earlier kernels.
  std::vector<std::size_t> parts{};  ///< Those that the kernel reads.

  /// The name of such partial results.
  std::string parts_of(std::size_t place) {
    if (std::ranges::find(parts, place) == parts.end()) parts.push_back(place);
    return "p" + std::to_string(place);
  }
  Dialect const& dialect() { return listing.functions().dialect(); }
  /// Whether all work items of a group run a block together.
  bool is_together(int block) const {
    return std::ranges::none_of(apart, [&](int other) { return listing.is_in(block, other); });
  }

  Indexing indexing() { return {listing, variables, rows}; }

  /// Whether a leaf represents the matmul that the kernel computes itself.
  bool reads_own_product(Node leaf) const;
};

/// The identity of a node in a kernel.
Identity identity(Walk& walk, Node e);

/// The sizes of a node: sizes found equal by evaluation are one argument.
Quantities sizes_of(Walk& walk, Node e);

/// The sizes of the labels of a contraction.
std::array<Quantity, max_labels> label_quantities(Walk& walk, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

#include <algorithm>

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

#endif
