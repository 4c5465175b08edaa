#pragma once

#include <tenon/backend/codegen/emit/lanes.hpp>

/// Flattened axes, and the range of them that a kernel iterates over.
namespace tenon::internal::codegen {

/// The sizes of flattened axes.
struct FlatAxes {
  Quantities sizes{};
  int rank = 0;

  void add(Quantity const& size) { sizes[static_cast<std::size_t>(rank++)] = size; }
  std::int64_t count() const {
    std::int64_t all = 1;
    for (Quantity const& size : sizes) all *= size.number;
    return all;
  }
  std::string text(Variables& variables) const { return product_text(variables, sizes, 0, rank); }
};

/// The index along each of some axes at the `j`-th flattened index.
inline Places places_along(Walk& walk, FlatAxes const& axes, int j) {
  Listing& l = walk.listing;
  Places at{};
  for (int i = 0; i < axes.rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (axes.sizes[axis].is_one()) continue;
    std::string const size = walk.variables.text(axes.sizes[axis]);
    std::string const inner = product_text(walk.variables, axes.sizes, i + 1, axes.rank);
    std::string const outer = product_text(walk.variables, axes.sizes, 0, i);
    std::string text = l.text(j);
    if (inner != "1") text += " / (" + inner + ")";
    if (outer != "1") text += " % " + size;
    at[axis] = {{text == l.text(j) ? j : l.value("i64", text, {j})}};
  }
  walk.rows.flats.push_back({j, axes.rank, axes.sizes, at});
  return at;
}

/// The number of chunks of a row.
inline std::string pieces_text(Walk& walk) {
  if (walk.pieces.variable < 0) walk.pieces = walk.variables.fresh("pieces", walk.cut.pieces);
  return walk.variables.text(walk.pieces);
}

/// The range of a kernel within a column of `count` elements, every `pieces`-th of which is its
/// own.
inline Range range_of_column(Walk& walk, std::string const& count, int block) {
  std::string const past = walk.listing.fresh("b"), pieces = pieces_text(walk);
  walk.listing.line(block, "i64 const " + past + " = (" + count + " + " + pieces +
                               " - 1 - piece) / " + pieces + ";");
  return {"0", past};
}

/// The index along a column of the `j`-th element of a range.
inline int place_in_column(Walk& walk, int j) {
  if (!walk.cut.is_of_columns || walk.cut.pieces == 1) return j;
  std::string const text = walk.listing.text(j) + " * " + pieces_text(walk) + " + piece";
  return walk.listing.value("i64", text, {j});
}

/// The range of a kernel among `count` elements: all, or its chunk, in `block`.
inline Range range_of(Walk& walk, std::string const& count, int block) {
  if (walk.cut.pieces == 1) return {"0", count};
  if (walk.cut.is_of_columns) return range_of_column(walk, count, block);
  Listing& l = walk.listing;
  std::string const name = l.fresh("b"), pieces = pieces_text(walk);
  l.line(block, "i64 const " + name + "_step = (" + count + " + " + pieces + " - 1) / " + pieces +
                    ", " + name + " = piece * " + name + "_step;");
  l.line(block, "i64 const " + name + "_past = " + name + " + " + name + "_step < " + count +
                    " ? " + name + " + " + name + "_step : " + count + ";");
  return {name, name + "_past"};
}

}  // namespace tenon::internal::codegen
