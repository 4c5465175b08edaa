#pragma once

#include <tenon/backend/codegen/emit/reductions.hpp>

namespace tenon::internal::codegen {

/// The loop over the rows of a work item or a group.
inline std::string header_of_rows(Walk& walk, std::string const& count) {
  Dialect const& dialect = walk.dialect();
  if (!walk.cut.has_members) return filled(dialect.rows, {count});
  walk.listing.line(0, &Dialect::constant, {"i64", "member", std::string(dialect.member)});
  return filled(dialect.strided_loop,
                {"i64", "row", std::string(dialect.group), count, std::string(dialect.groups)});
}

/// Opens the loop over the rows, or chunks of rows, of a work item or a group.
inline void enter_rows(Walk& walk, std::string const& count, Loops& loops) {
  Listing& l = walk.listing;
  bool const is_cut = walk.cut.pieces > 1;
  std::string const pieces = is_cut ? pieces_text(walk) : "";
  std::string const all = !is_cut ? count : count == "1" ? pieces : count + " * " + pieces;
  int const block = loops.enter_header(header_of_rows(walk, all));
  walk.rows.row = l.parameter("row", block);
  if (!is_cut) return;
  bool const is_first = walk.cut.is_of_columns;
  std::string const by = factor_text(count);
  l.line(block, &Dialect::constant,
         {"i64", "piece", "row " + (is_first ? "/ " + by : "% " + pieces)});
  walk.rows.row = l.value("i64", "row " + (is_first ? "% " + by : "/ " + pieces), {walk.rows.row});
}

/// Opens the flattened loop over the axes of a row: the work item's part of it, or of a chunk.
inline Places open_flat(Walk& walk, Quantities const& sizes, int rank, int row_axes, Places at,
                        Loops& loops) {
  FlatAxes axes;
  for (int i = rank - row_axes; i < rank; ++i) axes.add(sizes[static_cast<std::size_t>(i)]);
  int const block = loops.block();
  Range const range = range_of(walk, axes.text(walk.variables), block);
  auto const loop =
      walk.cut.has_members ? open_own(walk, range, block) : open_all(walk, range, block);
  loops.enter(loop);
  Places const along = places_along(walk, axes, loop.counter);
  std::copy_n(along.begin(), axes.rank, at.begin() + rank - row_axes);
  return at;
}

/// Opens the loops over the last `row_axes` of `rank` axes; the others have given indices.
inline Places open_row(Walk& walk, Quantities const& sizes, int rank, int row_axes, Places at,
                       Loops& loops) {
  if (row_axes > 0 && (walk.cut.has_members || walk.cut.pieces > 1))
    return open_flat(walk, sizes, rank, row_axes, at, loops);
  for (auto i = static_cast<std::size_t>(rank - row_axes); i < static_cast<std::size_t>(rank); ++i)
    at[i] = loops.enter(walk.variables.text(sizes[i]));
  return at;
}

/// Opens the loops of a kernel whose last `row_axes` of `rank` axes are iterated within a row;
/// returns the indices of its elements.
inline Places open_rows(Walk& walk, Quantities const& sizes, int rank, int row_axes, Loops& loops) {
  walk.rows = {rank - row_axes, -1, sizes};
  enter_rows(walk, product_text(walk.variables, sizes, 0, walk.rows.rank), loops);
  Places at{};
  for (int i = 0; i < walk.rows.rank; ++i) at[static_cast<std::size_t>(i)] = {{Rows::term(i)}};
  return open_row(walk, sizes, rank, row_axes, at, loops);
}

}  // namespace tenon::internal::codegen
