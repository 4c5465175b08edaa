#pragma once

#include <tenon/backend/codegen/adjoint/reverse.hpp>

/// Emits the backward of a node to its operands; values needed by its derivative are recomputed
/// where they are used.
namespace tenon::internal::codegen {

/// Whether an expression has a leaf whose adjoint is required.
bool leads_back(Reverse const& reverse, Node e);

/// Propagates a contribution to the adjoint of an expression's element back to the leaves.
void backward_element(Reverse& reverse, Node e, Places const& at, Value const& share);

/// Accumulates contributions to the adjoint of a reduction; equal reductions share one.
void backward_reduction(Reverse& reverse, Node reduction, Places const& at, Value const& share);

/// An element of the adjoint that a kernel propagates.
Value adjoint_element(Reverse& reverse, Node e, Places const& at);

/// Propagates the adjoint of a contraction to one operand.
void backward_factor(Reverse& reverse, Node product, bool is_left);

/// Propagates the adjoint passed to a kernel back to the leaves of an expression, row by row.
void backward_all_rows(Reverse& reverse, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

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

/// Backward of contractions: the adjoint of one operand is a contraction of that of the result with
/// the other operand.
namespace tenon::internal::codegen {

TENON_RUNTIME Value adjoint_element(Reverse& reverse, Node e, Places const& at) {
  Walk& walk = reverse.walk();
  IndexText const index = row_major_index(walk.indexing(), sizes_of(walk, e), e.rank(), at);
  return {walk.listing,
          walk.listing.value(e->text->dtype->text, "adjoint[" + index.text + "]", index.names)};
}

/// The distinct labels of an operand, in the order of its axes.
TENON_RUNTIME std::vector<std::size_t> labels_in(AxisMap const& axes) {
  std::vector<std::size_t> labels;
  for (auto const label : axes) {
    auto const own = static_cast<std::size_t>(label);
    if (label >= 0 && std::ranges::find(labels, own) == labels.end()) labels.push_back(own);
  }
  return labels;
}

/// An element of an operand's adjoint: summed over all labels without an index.
TENON_RUNTIME Value factor_adjoint(Reverse& reverse, Node e, bool is_left,
                                   std::array<Place, max_labels> places) {
  Contraction const& rule = *e->contraction;
  Walk& walk = reverse.walk();
  auto const sizes = label_quantities(walk, e);
  auto const own = labels_in(is_left ? rule.left : rule.right);
  Total total(walk.listing, *e->text->reduction, reverse.block(), false);
  Loops loops(walk.listing, reverse.block());
  for (std::size_t l = 0; l < static_cast<std::size_t>(rule.labels); ++l)
    if (std::ranges::find(own, l) == own.end())
      places[l] = loops.enter(walk.variables.text(sizes[l]));
  Value const adjoint = adjoint_element(reverse, e, labelled_places(rule.out, places));
  Value const other = element_of(walk, e.operand_at(is_left ? 1 : 0),
                                 labelled_places(is_left ? rule.right : rule.left, places));
  total.add(e->text->multiply(adjoint, other), loops.block());
  loops.close();
  return {walk.listing, total.name()};
}

TENON_RUNTIME void backward_factor(Reverse& reverse, Node e, bool is_left) {
  Node const factor = e.operand_at(is_left ? 0 : 1);
  AxisMap const& axes = is_left ? e->contraction->left : e->contraction->right;
  if (!leads_back(reverse, factor)) return;
  auto const own = labels_in(axes);
  auto const all = label_quantities(reverse.walk(), e);
  Quantities sizes{};
  for (std::size_t i = 0; i < own.size(); ++i) sizes[i] = all[own[i]];
  reverse.rows(sizes, static_cast<int>(own.size()), [&](Places const& rows) {
    std::array<Place, max_labels> places{};
    for (std::size_t i = 0; i < own.size(); ++i) places[own[i]] = rows[i];
    Value const share = factor_adjoint(reverse, e, is_left, places);
    backward_element(reverse, factor, labelled_places(axes, places), share);
  });
}

}  // namespace tenon::internal::codegen

/// Backward of reductions: loops over their operands.
namespace tenon::internal::codegen {

/// Another reduction over the operand of a reduction, as needed by derivatives of reductions.
TENON_RUNTIME Value reduced_over(Walk& walk, Node reduction, Places const& at, int block,
                                 ReductionOp const& op, OfValue const& of) {
  Listing& l = walk.listing;
  if (walk.cut.lanes > 0 && walk.is_together(block)) {
    FlatAxes const reduced = reduced_axes(walk, reduction);
    auto const element = [&](int j, int in) {
      Value const x = reduced_element(walk, reduction, at, j);
      return l.within(in, [&] { return of(x); });
    };
    Range const all{"0", reduced.text(walk.variables)};
    return {l, Lanes(walk, op, block).total(all, reduced.count(), element)};
  }
  Total total(l, op, block, is_longer_than_a_block(reduction));
  Loops loops(l, block);
  Value const x =
      element_of(walk, reduction.operand_at(0), reduced_places(walk, reduction, at, loops));
  total.add(l.within(loops.block(), [&] { return of(x); }), loops.block());
  loops.close();
  total.finish();
  return {l, total.name()};
}

/// Propagates the adjoint of a sum to all summed elements; needs no values.
TENON_RUNTIME void backward_sum(Reverse& reverse, Node reduction, Places const& at,
                                Value const& adjoint) {
  Loops loops(reverse.listing(), reverse.block());
  Places const own = reduced_places(reverse.walk(), reduction, at, loops);
  reverse.within(loops, [&] { backward_element(reverse, reduction.operand_at(0), own, adjoint); });
}

/// Propagates the adjoint of a reduction, once complete, to all elements of its operand.
TENON_RUNTIME void reduce_row_backward(Reverse& reverse, Node reduction, Places const& at,
                                       Value const& adjoint) {
  if (reduction->text->reduction->is_sum) return backward_sum(reverse, reduction, at, adjoint);
  Walk& walk = reverse.walk();
  int const block = reverse.block();
  Loops loops(walk.listing, block);
  Value const y = element_of(walk, reduction, at);
  auto const over = [&](ReductionOp const& op, OfValue const& of) {
    return reduced_over(walk, reduction, at, block, op, of);
  };
  reduction->text->reduction->backward(adjoint, y, over, [&](OfValue const& backward) {
    Places const own = reduced_places(walk, reduction, at, loops);
    reverse.within(loops, [&] {
      Value const x = element_of(walk, reduction.operand_at(0), own);
      backward_element(reverse, reduction.operand_at(0), own, backward(x));
    });
  });
}

TENON_RUNTIME void backward_reduction(Reverse& reverse, Node reduction, Places const& at,
                                      Value const& share) {
  if (reduction->text->reduction->backward == nullptr) return;
  Walk& walk = reverse.walk();
  reverse.wait(at_places(identity(walk, reduction), at), reduction_depth_of(reduction),
               block_of(walk, at), *reduction->text->dtype, share,
               [&reverse, reduction, at](int sum) {
                 reduce_row_backward(reverse, reduction, at, Value(reverse.listing(), sum));
               });
}

}  // namespace tenon::internal::codegen

/// Backward of all elements of an expression, row by row.
namespace tenon::internal::codegen {

/// The adjoint of an element of an expression.
using AdjointAt = Callback<Value(Places const&)>;

/// The index in the result of a reduction for an element of its operand.
TENON_RUNTIME Places result_places(Node reduction, Places const& at) {
  Places own{};
  auto const rank = static_cast<std::size_t>(reduction.operand_at(0).rank());
  for (std::size_t i = 0, to = 0; i < rank; ++i) {
    bool const reductions = has_axis(reduction->axes, static_cast<int>(i));
    if (!reductions) own[to] = at[i];
    to += reductions && !reduction->keeps ? 0u : 1u;
  }
  return own;
}

/// Whether an expression is a sum, possibly times or divided by a number. Its backward does not
/// need the value of the sum.
TENON_RUNTIME bool ends_in_sum(Node e) {
  if (e.is(NodeKind::reduction)) return e->text->reduction->is_sum;
  return e.is(NodeKind::map) && e->text->map->factor != nullptr &&
         e.operand_at(1).is(NodeKind::constant) && ends_in_sum(e.operand_at(0));
}

/// Propagates the adjoint of all elements, with the rows of the forward kernel.
TENON_RUNTIME void backward_rows(Reverse& reverse, Node e, AdjointAt const& adjoint) {
  int const rank = e.rank(), row_axes = e->wanted_row;
  Quantities const sizes = sizes_of(reverse.walk(), e);
  if (e->has_reduction) reverse.cut(cut_of(reverse.listing().functions(), e, row_axes));
  reverse.rows(sizes, rank - row_axes, [&](Places const& rows) {
    Loops loops(reverse.listing(), reverse.block());
    Places const at = open_row(reverse.walk(), sizes, rank, row_axes, rows, loops);
    reverse.within(loops, [&] { backward_element(reverse, e, at, adjoint(at)); });
  });
}

/// The same; every summed element has the adjoint of the sum, so that each of them is a row.
TENON_RUNTIME void backward_to_rows(Reverse& reverse, Node e, AdjointAt const& adjoint) {
  if (!ends_in_sum(e)) return backward_rows(reverse, e, adjoint);
  if (e.is(NodeKind::reduction))
    return backward_to_rows(reverse, e.operand_at(0),
                            [&](Places const& at) { return adjoint(result_places(e, at)); });
  Value const factor = e->text->map->factor(element_of(reverse.walk(), e.operand_at(1), Places()));
  backward_to_rows(reverse, e.operand_at(0),
                   [&](Places const& at) { return e->text->map->scaled(factor, adjoint(at)); });
}

TENON_RUNTIME void backward_all_rows(Reverse& reverse, Node e) {
  backward_to_rows(reverse, e, [&](Places const& at) { return adjoint_element(reverse, e, at); });
}

}  // namespace tenon::internal::codegen

#endif
