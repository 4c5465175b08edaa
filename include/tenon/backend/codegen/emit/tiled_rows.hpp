#pragma once

#include <set>

#include <tenon/backend/codegen/emit/rows.hpp>

/// Elementwise kernels whose operand is contiguous along another axis than the last one of the
/// result, such as a transpose: elements are visited in tiles of these two axes, so that reads and
/// writes use whole memory transactions.
namespace tenon::internal::codegen {

/// A tile of 16 elements along the last axis of the result and 64 along the other one is computed
/// by 256 work items. (On an H200 3.5 times as fast as in order; tiles of 32 by 32 are slower, also
/// through group memory.)
struct IndexTile {
  static constexpr std::int64_t last = 16, other = 64, items = 256;
  static constexpr std::int64_t lines = items / last;      ///< That all items compute at a time.
  static constexpr std::int64_t elements = other / lines;  ///< Of an item, `lines` apart.
};

/// Whether the elements of a leaf, or of a slice of memory, are contiguous along an axis.
inline bool is_contiguous_along(Node e, std::size_t axis) {
  Sizes const sizes = e.sizes();
  if (e.is(NodeKind::view)) return e->access->strides(e.address())[axis] == 1;
  if (e.is(NodeKind::step)) return e.steps().along[axis] == 1;
  return row_major(sizes, e.rank())[axis] == 1;
}

/// Adds the axes of the rows along which a leaf is contiguous that is also read along axis `last`.
inline void note_leaf_axes(Node e, Places const& at, int last, std::set<int>& axes) {
  Sizes const sizes = e.sizes();
  std::set<int> read, contiguous;
  for (std::size_t i = 0; i < static_cast<std::size_t>(e.rank()); ++i) {
    for (int const term : at[i].terms) {
      if (sizes[i] > 1) read.insert(Rows::term(term));
      if (sizes[i] > 1 && is_contiguous_along(e, i)) contiguous.insert(Rows::term(term));
    }
  }
  if (read.contains(last)) axes.merge(contiguous);
}

/// The same for all leaves of an expression that maps and views lead to.
inline void note_axes(Walk& walk, Node e, Places const& at, int last, std::set<int>& axes) {
  if (e.is_leaf() || e.is(NodeKind::step)) return note_leaf_axes(e, at, last, axes);
  if (e.is(NodeKind::map))
    for (std::size_t k = 0; k < e->operand_count; ++k)
      note_axes(walk, e.operand_at(k), places_of_operand(e, k, at), last, axes);
  if (e.is(NodeKind::index_map))
    note_axes(walk, e.operand_at(0), places_below(walk, e, at), last, axes);
}

/// The axis that forms tiles with the last one; -1: elements are visited in order.
inline int tile_axis(Walk& walk, Node e) {
  Functions const& functions = walk.listing.functions();
  int const last = e.rank() - 1;
  if (!functions.are_for_device || !has_groups(functions) || walk.cut.lanes > 0) return -1;
  Sizes const sizes = e.sizes();
  if (last < 1 || sizes[static_cast<std::size_t>(last)] < IndexTile::last) return -1;
  Places at{};
  for (int i = 0; i <= last; ++i) at[static_cast<std::size_t>(i)] = {{Rows::term(i)}};
  std::set<int> axes;
  note_axes(walk, e, at, last, axes);
  for (int const axis : axes)
    if (axis != last && sizes[static_cast<std::size_t>(axis)] >= IndexTile::other) return axis;
  return -1;
}

/// The number of tiles along an axis, in a kernel; its name.
inline int tiles_along(Walk& walk, Quantity const& size, std::int64_t tile) {
  std::string const text = "(" + walk.variables.text(size) + " + " + std::to_string(tile - 1) +
                           ") / " + std::to_string(tile);
  return walk.listing.value("i64", text, {});
}

/// The axes outside of tiles, and the number of tiles along those inside.
class TiledRows {
 public:
  TiledRows(Walk& walk, Quantities const& sizes, int rank, int axis)
      : walk_(&walk),
        sizes_(sizes),
        rank_(rank),
        axis_(static_cast<std::size_t>(axis)),
        last_(static_cast<std::size_t>(rank - 1)),
        outer_(sizes),
        across_(tiles_along(walk, sizes[last_], IndexTile::last)),
        along_(tiles_along(walk, sizes[axis_], IndexTile::other)) {
    outer_[last_] = outer_[axis_] = {};
  }

  /// Opens the loops over the elements of a work item; returns their indices.
  Places open(Loops& loops) {
    Listing& l = walk_->listing;
    walk_->rows = {1, -1, {Quantity{items()}}};
    int const rows = loops.enter_header(filled(walk_->dialect().rows, {items_text()}));
    int const row = l.parameter("row", rows);
    std::string const items = std::to_string(IndexTile::items),
                      width = std::to_string(IndexTile::last);
    int const tile = l.value("i64", "row / " + items, {row});
    std::string const line = l.text(tile) + " / " + l.text(across_) + " % " + l.text(along_) +
                             " * " + std::to_string(IndexTile::other);
    int const first = l.value("i64", line + " + row % " + items + " / " + width, {tile});
    int const last =
        l.value("i64", l.text(tile) + " % " + l.text(across_) + " * " + width + " + row % " + width,
                {tile});
    return guarded(loops, tile, first, last);
  }

 private:
  std::string tiles_text() const {
    return walk_->listing.text(along_) + " * " + walk_->listing.text(across_);
  }
  std::string items_text() const {
    std::string const outer = product_text(walk_->variables, outer_, 0, rank_);
    return (outer == "1" ? "" : outer + " * ") + tiles_text() + " * " +
           std::to_string(IndexTile::items);
  }
  std::int64_t items() const {
    std::int64_t tiles = tiles_along(sizes_[last_].number, IndexTile::last) *
                         tiles_along(sizes_[axis_].number, IndexTile::other);
    for (Quantity const& size : outer_) tiles *= size.number;
    return tiles * IndexTile::items;
  }

  /// The indices along the axes outside of a tile.
  Places outer_places(int tile) const {
    Listing& l = walk_->listing;
    int const outer = l.value("i64", l.text(tile) + " / (" + tiles_text() + ")", {tile});
    Indexing const indexing{l, walk_->variables, {rank_, outer, outer_}};
    Places at{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank_); ++i)
      if (!outer_[i].is_one()) at[i] = {{indexing.name(Rows::term(static_cast<int>(i)))}};
    return at;
  }

  /// Opens the loop over the elements of a work item, and the condition that they exist. Names of
  /// their indices belong to it: nothing that depends on them is computed before.
  Places guarded(Loops& loops, int tile, int first, int last) {
    Listing& l = walk_->listing;
    Places at = outer_places(tile);
    auto const loop = l.loop(std::to_string(IndexTile::elements), loops.block());
    loops.enter(loop);
    int const other = l.value(
        "i64",
        l.text(first) + " + " + l.text(loop.counter) + " * " + std::to_string(IndexTile::lines),
        {first, loop.counter});
    auto const inside = [&](int name, std::size_t axis) {
      return l.text(name) + " < " + walk_->variables.text(sizes_[axis]);
    };
    int const guard =
        loops.enter_header("if (" + inside(other, axis_) + " && " + inside(last, last_) + ")");
    at[axis_] = {{l.parameter(l.text(other), guard)}};
    at[last_] = {{l.parameter(l.text(last), guard)}};
    return at;
  }

  Walk* walk_;
  Quantities sizes_;
  int rank_;
  std::size_t axis_, last_;
  Quantities outer_;
  int across_, along_;
};

}  // namespace tenon::internal::codegen
