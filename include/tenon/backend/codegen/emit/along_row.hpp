#pragma once

#include <tenon/backend/codegen/emit/lanes.hpp>

/// The owner of an element in a group: two work items must not add to one element.
namespace tenon::internal::codegen {

/// How the elements of a leaf depend on the index along a row, which is distributed over work
/// items.
struct AlongRow {
  bool is_apart = false;  ///< Whether each work item adds to elements of its own.
  /// The axes of the leaf that are those of the row, and their sizes; empty if work items may add
  /// to the same element.
  std::vector<std::int64_t> axes{};
};

/// Whether an index differs in each iteration of the work items' loops.
inline bool is_apart(Walk& walk, Place const& place) {
  return std::ranges::any_of(place.terms, [&](int term) {
    return term >= 0 && !walk.is_together(walk.listing.block_of(term));
  });
}

/// The axes of a leaf along which the work items iterate, if it has all axes of the row.
inline std::vector<std::int64_t> axes_along(Walk& walk, Flat const& flat, int rank,
                                            Places const& at) {
  std::vector<std::int64_t> axes, sizes;
  int apart = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
    apart += is_apart(walk, at[i]) ? 1 : 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(flat.rank); ++k) {
    if (flat.at[k].terms.empty()) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
      if (at[i].terms == flat.at[k].terms && at[i].start == 0)
        axes.push_back(static_cast<std::int64_t>(i)), --apart;
    sizes.push_back(flat.sizes[k].number);
  }
  if (apart != 0 || axes.empty() || axes.size() != sizes.size()) return {};
  sizes.front() = 0;  // independent of the length of the row
  axes.insert(axes.end(), sizes.begin(), sizes.end());
  return axes;
}

inline AlongRow along_row(Walk& walk, int rank, Places const& at) {
  AlongRow along;
  for (Place const& place : at) along.is_apart = along.is_apart || is_apart(walk, place);
  if (!along.is_apart || !walk.cut.has_members) return along;
  for (Flat const& flat : walk.rows.flats) {
    along.axes = axes_along(walk, flat, rank, at);
    if (!along.axes.empty()) break;
  }
  return along;
}

/// The condition under which a work item adds to an element at an index that is the same for all:
/// the owner of the index along that axis, otherwise the first work item.
inline std::string owner_text(Walk& walk, int axis, Places const& at) {
  if (axis < 0) return "member == 0";
  Place const& place = at[static_cast<std::size_t>(axis)];
  std::string text = std::to_string(place.start);
  for (int const term : place.terms) text += " + " + walk.listing.text(walk.indexing().name(term));
  return "(" + text + ") % " + std::to_string(walk.cut.lanes) + " == member";
}

}  // namespace tenon::internal::codegen
