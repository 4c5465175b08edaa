#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

TENON_RUNTIME bool leads_back(Reverse const& reverse, Node e) {
  if (!e->text->dtype->is_float || e.is(NodeKind::view)) return false;
  if (e.is(NodeKind::tensor)) return reverse.wants(e.mark());
  bool leads = e.is(NodeKind::earlier);
  for (std::size_t k = 0; k < e->operand_count && !leads; ++k)
    leads = leads_back(reverse, e.operand_at(k));
  return leads;
}

/// The adjoint of a leaf with the given memory index.
TENON_RUNTIME LeafAdjoint adjoint_of(Reverse& reverse, Node leaf, std::size_t memory) {
  LeafAdjoint adjoint{reverse.walk().memories[memory]};
  if (leaf.is(NodeKind::tensor)) adjoint.mark = leaf.mark();
  adjoint.elements = leaf.count();
  adjoint.leaf.type = leaf->text->dtype->computed->text;
  adjoint.element_bytes = static_cast<std::int64_t>(leaf->text->dtype->computed->bytes);
  return adjoint;
}

TENON_RUNTIME void backward_leaf(Reverse& reverse, Node leaf, Places const& at,
                                 Value const& share) {
  Walk& walk = reverse.walk();
  std::size_t const memory = walk.memories.find(leaf, reverse.own_product);
  LeafAdjoint const adjoint = adjoint_of(reverse, leaf, memory);
  IndexText const index =
      row_major_index(walk.indexing(), walk.memories[memory].sizes, leaf.rank(), at);
  Following const rows = following({static_cast<std::int64_t>(memory)}, leaf.rank(), at);
  reverse.add_to_leaf(adjoint, rows, index, at_places({memory}, at), *leaf->text->dtype->computed,
                      share, at, leaf.rank());
}

TENON_RUNTIME void backward_step(Reverse& reverse, Node e, Places const& at, Value const& share) {
  Walk& walk = reverse.walk();
  SliceSteps const& steps = e.steps();
  std::size_t const memory = walk.memories.find(e.operand_at(0));
  LeafAdjoint const adjoint = adjoint_of(reverse, e.operand_at(0), memory);
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), e.rank(), at, steps.start);
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(memory), -1, steps.start};
  numbers.insert(numbers.end(), steps.along.begin(), steps.along.end());
  Following rows{};
  if (are_apart(steps.along, e.sizes(), e.rank())) rows = following(numbers, e.rank(), at);
  Identity const element(numbers.begin(), numbers.end());
  reverse.tear(adjoint);
  reverse.add_to_leaf(adjoint, rows, index, at_places(element, at), *e->text->dtype->computed,
                      share, at, e.rank());
}

/// Propagates the adjoint of an elementwise op to its operands, in their dtypes, where required.
TENON_RUNTIME void backward_elementwise(Reverse& reverse, Node e, Places const& at,
                                        Value const& adjoint) {
  if (!e->text->map->has_derivative || !leads_back(reverse, e)) return;
  MapValues const values = values_of_map(reverse.walk(), e, at);
  for (std::size_t k = 0; k < e->operand_count; ++k) {
    MapOp::Share const share = e->text->map->shares[k];
    if (share == nullptr) continue;
    bool const leads = leads_back(reverse, e.operand_at(k));
    Value const own = share(values.data(), leads ? &adjoint : nullptr);
    if (leads) backward_element(reverse, e.operand_at(k), places_of_operand(e, k, at), own);
  }
}

TENON_RUNTIME void backward_element(Reverse& reverse, Node e, Places const& at,
                                    Value const& share) {
  switch (e->kind) {
    case NodeKind::view:
    case NodeKind::constant:
    case NodeKind::product:
      return;
    case NodeKind::tensor:
    case NodeKind::earlier:
      return backward_leaf(reverse, e, at, share);
    case NodeKind::map:
      return backward_elementwise(reverse, e, at, share);
    case NodeKind::reduction:
      return backward_reduction(reverse, e, at, share);
    case NodeKind::step:
      return backward_step(reverse, e, at, share);
    default:
      break;
  }
  // for the operand of a view, or the table of a gather (a scatter-add)
  if (leads_back(reverse, e.operand_at(0)))
    backward_element(reverse, e.operand_at(0), places_below(reverse.walk(), e, at), share);
}

}  // namespace tenon::internal::codegen
