#pragma once

#include <tenon/backend/codegen/emit/element.hpp>
#include <tenon/backend/codegen/emit/flattened.hpp>
#include <tenon/backend/codegen/emit/loops.hpp>
#include <tenon/backend/codegen/emit/positions.hpp>
#include <tenon/core/config.hpp>

/// Reductions and contractions as loops, emitted before the use of their result and hoisted out of
/// all loops that they do not depend on.
namespace tenon::internal::codegen {

/// The partition of the rows of an expression; or of columns, if it reduces them.
Cut cut_of(Functions const& functions, Node e, int row_axes);

/// The reduced axes, flattened.
FlatAxes reduced_axes(Walk& walk, Node reduction);

/// Enters a loop for every reduced axis, or one over the share of a work item; returns the indices
/// into the operand.
Places reduced_places(Walk& walk, Node reduction, Places const& at, Loops& loops);

/// Whether a reduction may be longer than a block.
bool is_longer_than_a_block(Node reduction);

/// The element of the operand at the `j`-th index along the reduced axes.
Value reduced_element(Walk& walk, Node reduction, Places const& at, int j);

/// Reduces a range of the row, which is `1 / pieces` of it.
int reduced_range(Walk& walk, Node reduction, Places const& at, int block, Range const& range);

/// The indices of an operand's axes among those of labels.
Places labelled_places(AxisMap const& labels, std::array<Place, max_labels> const& at);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME Cut cut_of(Functions const& functions, Node e, int row_axes) {
  std::int64_t const rows = count(e.sizes(), e.rank() - row_axes);
  if (e->has_reduction) return cut_for(functions, rows, longest_reduction(e));
  return e.is(NodeKind::reduction) ? cut_for_columns(functions, rows, longest_reduction(e)) : Cut();
}

TENON_RUNTIME FlatAxes reduced_axes(Walk& walk, Node reduction) {
  Quantities const sizes = sizes_of(walk, reduction.operand_at(0));
  FlatAxes reduced;
  for (int i = 0; i < reduction.operand_at(0).rank(); ++i)
    if (has_axis(reduction->axes, i)) reduced.add(sizes[static_cast<std::size_t>(i)]);
  return reduced;
}

/// The indices into the operand at the `j`-th position along the reduced axes.
TENON_RUNTIME Places flat_places(Walk& walk, Node reduction, Places const& at, int j) {
  Places const along = places_along(walk, reduced_axes(walk, reduction), j);
  Places own{};
  auto const rank = static_cast<std::size_t>(reduction.operand_at(0).rank());
  for (std::size_t i = 0, from = 0, next = 0; i < rank; ++i) {
    bool const reductions = has_axis(reduction->axes, static_cast<int>(i));
    own[i] = reductions ? along[next++] : at[from];
    from += reductions && !reduction->keeps ? 0u : 1u;
  }
  return own;
}

TENON_RUNTIME Places reduced_places(Walk& walk, Node reduction, Places const& at, Loops& loops) {
  if (walk.cut.has_members && walk.is_together(loops.block())) {
    Range const all{"0", reduced_axes(walk, reduction).text(walk.variables)};
    auto const loop = open_own(walk, all, loops.block());
    loops.enter(loop);
    return flat_places(walk, reduction, at, loop.counter);
  }
  Quantities const sizes = sizes_of(walk, reduction.operand_at(0));
  Places own{};
  auto const rank = static_cast<std::size_t>(reduction.operand_at(0).rank());
  for (std::size_t i = 0, from = 0; i < rank; ++i) {
    bool const reductions = has_axis(reduction->axes, static_cast<int>(i));
    own[i] = reductions ? loops.enter(walk.variables.text(sizes[i])) : at[from];
    from += reductions && !reduction->keeps ? 0u : 1u;
  }
  return own;
}

TENON_RUNTIME bool is_longer_than_a_block(Node reduction) {
  Shape const& shape = *reduction.operand_at(0)->shape;
  std::int64_t length = 1;
  for (int i = 0; i < shape.rank; ++i) {
    if (has_axis(reduction->axes, i) && !shape[i].is_static()) return true;
    if (has_axis(reduction->axes, i)) length *= shape[i].size;
  }
  return length > 64;
}

/// Reduces sequentially.
TENON_RUNTIME int reduced_total(Walk& walk, Node reduction, Places const& at, int block) {
  bool const in_blocks = reduction->text->reduction->rounds && is_longer_than_a_block(reduction);
  Total total(walk.listing, *reduction->text->reduction, block, in_blocks);
  Loops loops(walk.listing, block);
  Places const own = reduced_places(walk, reduction, at, loops);
  total.add(element_of(walk, reduction.operand_at(0), own), loops.block());
  loops.close();
  total.finish();
  return total.name();
}

TENON_RUNTIME Value reduced_element(Walk& walk, Node reduction, Places const& at, int j) {
  return element_of(walk, reduction.operand_at(0), flat_places(walk, reduction, at, j));
}

TENON_RUNTIME int reduced_position(Walk& walk, Node reduction, Places const& at, int block,
                                   Range const& range) {
  Listing& l = walk.listing;
  Position position(walk, *reduction->text->reduction, block);
  bool const is_shared = walk.cut.has_members && walk.is_together(block);
  auto const loop = is_shared ? open_own(walk, range, block) : open_all(walk, range, block);
  position.add(reduced_element(walk, reduction, at, loop.counter), l.text(loop.counter),
               loop.block);
  l.close(loop.block);
  if (is_shared) position.together();
  return position.name();
}

TENON_RUNTIME int reduced_range(Walk& walk, Node reduction, Places const& at, int block,
                                Range const& range) {
  if (reduction->text->reduction->is_position)
    return reduced_position(walk, reduction, at, block, range);
  std::int64_t const length =
      reduced_axes(walk, reduction).count() / walk.cut.pieces + walk.cut.lanes;
  return Lanes(walk, *reduction->text->reduction, block).total(range, length, [&](int j, int) {
    return reduced_element(walk, reduction, at, place_in_column(walk, j));
  });
}

/// The index of the partial result of chunk `j` of a row: chunk after chunk of all columns, or row
/// after row.
TENON_RUNTIME std::string part_index(Walk& walk, Node reduction, std::string const& row,
                                     std::string const& j) {
  if (!walk.cut.is_of_columns) return "(" + row + ") * " + pieces_text(walk) + " + " + j;
  std::string const columns =
      product_text(walk.variables, sizes_of(walk, reduction), 0, reduction.rank());
  return j + " * " + factor_text(columns) + " + " + row;
}

/// The partial result of chunk `j` of a row, computed by an earlier kernel: a value, or a position.
TENON_RUNTIME int part_of(Walk& walk, Node reduction, Places const& at, int j) {
  Listing& l = walk.listing;
  std::string const parts = walk.parts_of(walk.reduced->place_of(reduction));
  IndexText row = row_major_index(walk.indexing(), sizes_of(walk, reduction), reduction.rank(), at);
  row.names.push_back(j);
  std::string const place = part_index(walk, reduction, row.text, l.text(j));
  return l.value(reduction->text->dtype->text, parts + "[" + place + "]", row.names);
}

/// The best of the best of each chunk.
TENON_RUNTIME int best_of_parts(Walk& walk, Node reduction, Places const& at, int block) {
  Listing& l = walk.listing;
  Position position(walk, *reduction->text->reduction, block);
  auto const loop = open_all(walk, {"0", pieces_text(walk)}, block);
  int const place = part_of(walk, reduction, at, loop.counter);
  int const is_any = l.open(loop.block, &Dialect::condition, {l.text(place) + " >= 0"});
  Value const x = l.within(is_any, [&] {
    std::string const index = filled(l.dialect().cast, {"i64", l.text(place)});
    return reduced_element(walk, reduction, at, l.value("i64", index, {place}));
  });
  position.add(x, l.text(place), is_any);
  l.close(is_any);
  l.close(loop.block);
  return position.name();
}

/// Combines the partial results of the chunks of a row.
TENON_RUNTIME int put_together(Walk& walk, Node reduction, Places const& at, int block) {
  if (reduction->text->reduction->is_position) return best_of_parts(walk, reduction, at, block);
  Range const all{"0", pieces_text(walk)};
  Lanes lanes(walk, *reduction->text->reduction, block);
  return lanes.total(all, walk.pieces.number, [&](int j, int) {
    return Value(walk.listing, part_of(walk, reduction, at, j));
  });
}

TENON_RUNTIME int reduced_whole(Walk& walk, Node reduction, Places const& at, int block) {
  bool const is_together = walk.cut.lanes > 0 && walk.is_together(block);
  if (walk.reduced != nullptr && walk.reduced->has(reduction))
    return put_together(walk, reduction, at, block);
  if (!reduction->text->reduction->is_position && !is_together)
    return reduced_total(walk, reduction, at, block);
  return reduced_range(walk, reduction, at, block,
                       {"0", reduced_axes(walk, reduction).text(walk.variables)});
}

TENON_RUNTIME Value reduced_element_of(Walk& walk, Node e, Places const& at) {
  Identity const key = at_places(identity(walk, e), at);
  auto const known = walk.reductions.find(key);
  bool const is_wanted = walk.listing.functions().are_optimised && known != walk.reductions.end();
  if (is_wanted && walk.listing.is_open(walk.listing.block_of(known->second)))
    return {walk.listing, known->second};
  int const block = block_of(walk, at);
  int const name = reduced_whole(walk, e, at, block);
  walk.reductions[key] = name;
  return commented(e, Value(walk.listing, name));
}

TENON_RUNTIME Places labelled_places(AxisMap const& labels,
                                     std::array<Place, max_labels> const& at) {
  Places own{};
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= 0) own[i] = at[static_cast<std::size_t>(labels[i])];
  return own;
}

TENON_RUNTIME Value product_element_of(Walk& walk, Node e, Places const& at) {
  Contraction const& rule = *e->contraction;
  auto const sizes = label_quantities(walk, e);
  Loops loops(walk.listing, block_of(walk, at));
  Total total(walk.listing, *e->text->reduction, loops.block(), false);
  std::array<Place, max_labels> places{};
  std::array<bool, max_labels> fixed{};
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (rule.out[i] < 0) continue;
    places[static_cast<std::size_t>(rule.out[i])] = at[i];
    fixed[static_cast<std::size_t>(rule.out[i])] = true;
  }
  for (std::size_t l = 0; l < static_cast<std::size_t>(rule.labels); ++l)
    if (!fixed[l]) places[l] = loops.enter(walk.variables.text(sizes[l]));
  Value const a = element_of(walk, e.operand_at(0), labelled_places(rule.left, places));
  Value const b = element_of(walk, e.operand_at(1), labelled_places(rule.right, places));
  total.add(e->text->multiply(a, b), loops.block());
  loops.close();
  return {walk.listing, total.name()};
}

}  // namespace tenon::internal::codegen

#endif
