// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/backend/source/lanes.hpp>

/// The owner of an element in a group: two work items must not add to one element.
namespace tenon::source {

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

}  // namespace tenon::source
