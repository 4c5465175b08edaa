#pragma once

#include <tenon/backend/codegen/emit/element.hpp>
#include <tenon/backend/codegen/emit/flattened.hpp>
#include <tenon/backend/codegen/emit/loops.hpp>
#include <tenon/backend/codegen/emit/positions.hpp>

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
#include <tenon/backend/codegen/emit/reductions.ipp>
#endif
