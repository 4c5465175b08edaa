#pragma once

#include <tenon/backend/source/element.hpp>
#include <tenon/backend/source/flat.hpp>
#include <tenon/backend/source/loops.hpp>
#include <tenon/backend/source/positions.hpp>

/// Folds and products as loops, before their result is used and outside of all loops that it does
/// not vary in.
namespace tenon::source {

/// How the rows of a recipe are worked on.
Cut cut_of(Functions const& functions, Node e, int row_axes);

/// The axes that a fold is over, as one.
FlatAxes folded_axes(Walk& walk, Node fold);

/// Enters a loop for every folded axis, or one over what a member has; the places in the operand.
Places folded_places(Walk& walk, Node fold, Places const& at, Loops& loops);

/// May a fold be longer than a block?
bool is_longer_than_a_block(Node fold);

/// The element of what is folded at the `j`-th place along the folded axes.
Value folded_element(Walk& walk, Node fold, Places const& at, int j);

/// What stands in a part of the row is folded; of all that is folded that is `1 / pieces`.
int folded_range(Walk& walk, Node fold, Places const& at, int block, Range const& range);

/// The positions of an operand's axes among those of labels.
Places labelled_places(AxisMap const& labels, std::array<Place, max_labels> const& at);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/folds.ipp>
#endif
