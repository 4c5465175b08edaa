#pragma once

#include <tenon/backend/codegen/emit/reductions.hpp>
#include <tenon/core/config.hpp>

namespace tenon::source {

TENON_RUNTIME Cut cut_of(Functions const& functions, Node e, int row_axes) {
  return cut_for(functions, count(e.sizes(), e.rank() - row_axes), longest_fold(e));
}

TENON_RUNTIME FlatAxes folded_axes(Walk& walk, Node fold) {
  Quantities const sizes = sizes_of(walk, fold.operand_at(0));
  FlatAxes folded;
  for (int i = 0; i < fold.operand_at(0).rank(); ++i)
    if (has_axis(fold->axes, i)) folded.add(sizes[static_cast<std::size_t>(i)]);
  return folded;
}

/// The indices into the operand at the `j`-th position along the reduced axes.
TENON_RUNTIME Places flat_places(Walk& walk, Node fold, Places const& at, int j) {
  Places const along = places_along(walk, folded_axes(walk, fold), j);
  Places own{};
  auto const rank = static_cast<std::size_t>(fold.operand_at(0).rank());
  for (std::size_t i = 0, from = 0, next = 0; i < rank; ++i) {
    bool const folds = has_axis(fold->axes, static_cast<int>(i));
    own[i] = folds ? along[next++] : at[from];
    from += folds && !fold->keeps ? 0u : 1u;
  }
  return own;
}

TENON_RUNTIME Places folded_places(Walk& walk, Node fold, Places const& at, Loops& loops) {
  if (walk.cut.has_members && walk.is_together(loops.block())) {
    Range const all{"0", folded_axes(walk, fold).text(walk.variables)};
    auto const loop = open_own(walk, all, loops.block());
    loops.enter(loop);
    return flat_places(walk, fold, at, loop.counter);
  }
  Quantities const sizes = sizes_of(walk, fold.operand_at(0));
  Places own{};
  auto const rank = static_cast<std::size_t>(fold.operand_at(0).rank());
  for (std::size_t i = 0, from = 0; i < rank; ++i) {
    bool const folds = has_axis(fold->axes, static_cast<int>(i));
    own[i] = folds ? loops.enter(walk.variables.text(sizes[i])) : at[from];
    from += folds && !fold->keeps ? 0u : 1u;
  }
  return own;
}

TENON_RUNTIME bool is_longer_than_a_block(Node fold) {
  Shape const& shape = *fold.operand_at(0)->shape;
  std::int64_t length = 1;
  for (int i = 0; i < shape.rank; ++i) {
    if (has_axis(fold->axes, i) && !shape[i].is_static()) return true;
    if (has_axis(fold->axes, i)) length *= shape[i].size;
  }
  return length > 64;
}

/// Reduces sequentially.
TENON_RUNTIME int folded_total(Walk& walk, Node fold, Places const& at, int block) {
  bool const in_blocks = fold->fold->rounds && is_longer_than_a_block(fold);
  Total total(walk.listing, *fold->fold, block, in_blocks);
  Loops loops(walk.listing, block);
  Places const own = folded_places(walk, fold, at, loops);
  total.add(element_of(walk, fold.operand_at(0), own), loops.block());
  loops.close();
  total.finish();
  return total.name();
}

TENON_RUNTIME Value folded_element(Walk& walk, Node fold, Places const& at, int j) {
  return element_of(walk, fold.operand_at(0), flat_places(walk, fold, at, j));
}

TENON_RUNTIME int folded_position(Walk& walk, Node fold, Places const& at, int block,
                                  Range const& range) {
  Listing& l = walk.listing;
  Position position(walk, *fold->fold, block);
  bool const is_shared = walk.cut.has_members && walk.is_together(block);
  auto const loop = is_shared ? open_own(walk, range, block) : open_all(walk, range, block);
  position.add(folded_element(walk, fold, at, loop.counter), l.text(loop.counter), loop.block);
  l.close(loop.block);
  if (is_shared) position.together();
  return position.name();
}

TENON_RUNTIME int folded_range(Walk& walk, Node fold, Places const& at, int block,
                               Range const& range) {
  if (fold->fold->is_position) return folded_position(walk, fold, at, block, range);
  std::int64_t const length = folded_axes(walk, fold).count() / walk.cut.pieces + walk.cut.lanes;
  return Lanes(walk, *fold->fold, block).total(range, length, [&](int j, int) {
    return folded_element(walk, fold, at, j);
  });
}

/// The partial result of chunk `j` of a row, computed by an earlier kernel: a value, or a position.
TENON_RUNTIME int part_of(Walk& walk, Node fold, Places const& at, int j) {
  Listing& l = walk.listing;
  std::string const parts = walk.parts_of(walk.folded->place_of(fold)), count = pieces_text(walk);
  IndexText row = row_major_index(walk.indexing(), sizes_of(walk, fold), fold.rank(), at);
  row.names.push_back(j);
  std::string const place = "(" + row.text + ") * " + count + " + " + l.text(j);
  return l.value(fold->dtype->text, parts + "[" + place + "]", row.names);
}

/// The best of the best of each chunk.
TENON_RUNTIME int best_of_parts(Walk& walk, Node fold, Places const& at, int block) {
  Listing& l = walk.listing;
  Position position(walk, *fold->fold, block);
  auto const loop = open_all(walk, {"0", pieces_text(walk)}, block);
  int const place = part_of(walk, fold, at, loop.counter);
  int const is_any = l.open("if (" + l.text(place) + " >= 0)", loop.block);
  Value const x = l.within(is_any, [&] {
    return folded_element(walk, fold, at, l.value("i64", "(i64)" + l.text(place), {place}));
  });
  position.add(x, l.text(place), is_any);
  l.close(is_any);
  l.close(loop.block);
  return position.name();
}

/// Combines the partial results of the chunks of a row.
TENON_RUNTIME int put_together(Walk& walk, Node fold, Places const& at, int block) {
  if (fold->fold->is_position) return best_of_parts(walk, fold, at, block);
  Lanes lanes(walk, *fold->fold, block);
  return lanes.total({"0", pieces_text(walk)}, walk.cut.pieces,
                     [&](int j, int) { return Value(walk.listing, part_of(walk, fold, at, j)); });
}

TENON_RUNTIME int folded_whole(Walk& walk, Node fold, Places const& at, int block) {
  bool const is_together = walk.cut.lanes > 0 && walk.is_together(block);
  if (walk.folded != nullptr && walk.folded->has(fold)) return put_together(walk, fold, at, block);
  if (!fold->fold->is_position && !is_together) return folded_total(walk, fold, at, block);
  return folded_range(walk, fold, at, block, {"0", folded_axes(walk, fold).text(walk.variables)});
}

TENON_RUNTIME Value folded_element_of(Walk& walk, Node e, Places const& at) {
  Identity const key = at_places(identity(walk, e), at);
  auto const known = walk.folds.find(key);
  if (known != walk.folds.end() && walk.listing.is_open(walk.listing.block_of(known->second)))
    return {walk.listing, known->second};
  int const block = block_of(walk, at);
  int const name = folded_whole(walk, e, at, block);
  walk.folds[key] = name;
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
  Total total(walk.listing, *e->fold, loops.block(), false);
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
  total.add(e->multiply(a, b), loops.block());
  loops.close();
  return {walk.listing, total.name()};
}

}  // namespace tenon::source
