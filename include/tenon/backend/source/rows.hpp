#pragma once

#include <tenon/backend/source/folds.hpp>

namespace tenon::source {

/// Opens the loops of a kernel of which the last `row_axes` of `rank` axes are walked within a row;
/// where its elements are.
inline Places open_rows(Walk& walk, Quantities const& sizes, int rank, int row_axes, Loops& loops) {
  Listing& listing = walk.listing;
  walk.rows = {rank - row_axes, -1, sizes};
  std::string const count = product_text(walk.variables, sizes, 0, walk.rows.rank);
  walk.rows.row = listing.parameter(
      "row", loops.enter_header(filled(listing.functions().dialect().rows, {count})));
  Places at{};
  for (int i = 0; i < rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (i < walk.rows.rank) at[axis] = {{Rows::term(i)}};
    else at[axis] = loops.enter(walk.variables.text(sizes[axis]));
  }
  return at;
}

}  // namespace tenon::source
