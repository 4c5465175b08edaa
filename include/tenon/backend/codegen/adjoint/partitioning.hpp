#pragma once

#include <tenon/backend/codegen/emit/leaf_adjoint.hpp>
#include <tenon/backend/codegen/text/row_partition.hpp>

/// The partition of the rows of a backward kernel, such that no two concurrent rows add to one
/// element.
namespace tenon::internal::codegen {

/// Kept axes are parallel, the others are split into chunks: an adjoint to which several rows add
/// has one partial sum per chunk. Determined by the sizes alone.
struct Partitioning {
  std::array<bool, max_rank> kept{};  ///< The axes that all adjoints follow.
  bool has_chunks = false;            ///< Otherwise every row is independent.
  std::int64_t chunks = 1;
  bool is_static = false;         ///< Whether the number of chunks is a literal.
  std::vector<bool> is_shared{};  ///< Adjoints to which several rows add.
  bool has_members = true;        ///< Whether a group may process a row.
  bool is_spread = false;         ///< Whether the work items of a group have a row each.
  std::vector<int> own_axis{};    ///< For each adjoint the axis whose index determines the owner.

  bool has_parts(std::size_t adjoint) const {
    return chunks > 1 && adjoint < is_shared.size() && is_shared[adjoint];
  }
  int axis_of(std::size_t adjoint) const {
    return adjoint < own_axis.size() ? own_axis[adjoint] : -1;
  }
  /// The number of parallel rows, if there are chunks.
  std::int64_t count(Quantities const& sizes, int rank) const {
    std::int64_t rows = chunks;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
      rows *= kept[i] ? sizes[i].number : 1;
    return rows;
  }
};

/// The number of rows that occupies a device; more chunks than `most_chunks` cost more to sum than
/// they save.
inline constexpr std::int64_t enough_rows = 1 << 14, most_chunks = 1 << 10;
/// The same for groups.
inline constexpr std::int64_t enough_groups = 1 << 9;
/// The number of work items that saturates a large device with groups. More chunks than those above
/// have at least as many rows as `shortest_chunk`, or, if a group processes a row, two.
inline constexpr std::int64_t enough_items = 1 << 17, shortest_chunk = 8;
/// The limit of partial sums, in elements. (The adjoint of an embedding table is partitioned by
/// columns.)
inline constexpr std::int64_t most_parts = 1 << 24;

/// The number of chunks of the axes that are not kept, on a device with groups or without; `lanes`
/// is the size of the groups that process a row, or 0.
inline std::int64_t chunks_for(Partitioning const& partitioning, Quantities const& sizes, int rank,
                               std::int64_t shared_elements, bool has_groups, int lanes) {
  std::int64_t kept = 1, others = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
    (partitioning.kept[i] ? kept : others) *= sizes[i].number;
  auto const at_least_one = [](std::int64_t n) { return std::max<std::int64_t>(1, n); };
  std::int64_t const room = most_parts / at_least_one(shared_elements);
  auto const chunks = [&](std::int64_t enough, std::int64_t shortest) {
    return at_least_one(
        (std::min)({most_chunks, enough / at_least_one(kept), others / shortest, room}));
  };
  std::int64_t const some = chunks(lanes > 0 ? enough_groups : enough_rows, 1);
  if (!has_groups) return some;
  return (std::max)(
      some, lanes > 0 ? chunks(enough_items / lanes, 2) : chunks(enough_items, shortest_chunk));
}

/// Whether the work items of a group may process separate rows: the result of several rows is then
/// a single element, accumulated in a variable, and there are enough rows.
inline bool is_to_spread(LeafAdjoints const& adjoints, Partitioning const& partitioning,
                         Quantities const& sizes) {
  std::int64_t rows = 1;
  for (Quantity const& size : sizes) rows *= size.number;
  bool is_each_one = partitioning.has_chunks;
  for (std::size_t i = 0; i < partitioning.is_shared.size(); ++i)
    is_each_one =
        is_each_one && (!partitioning.is_shared[i] || adjoints.all()[i].adjoint.elements == 1);
  return is_each_one && rows >= (1 << 14);
}

/// Whether all sizes of rows and of adjoints are static.
inline bool are_static(LeafAdjoints const& adjoints, Quantities const& sizes) {
  auto const is_known = [](Quantity const& size) { return size.variable < 0; };
  return std::ranges::all_of(sizes, is_known) &&
         std::ranges::all_of(adjoints.all(), [&](LeafAdjoints::Entry const& entry) {
           return std::ranges::all_of(entry.adjoint.leaf.sizes, is_known);
         });
}

/// Keeps the axes that an adjoint follows; returns whether several rows add to it.
inline bool keep_followed(Partitioning& partitioning, LeafAdjoints::Entry const& entry,
                          Quantities const& sizes, int rank) {
  bool is_shared = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (sizes[i].is_one() || entry.follows(i)) continue;
    is_shared = true;
    partitioning.kept[i] = false;
  }
  return is_shared;
}

/// The partition of rows of such sizes, each with the given partition, that add to such adjoints;
/// by groups, if the device has them and no two work items add to one element.
inline Partitioning partitioning_for(LeafAdjoints const& adjoints, Quantities const& sizes,
                                     int rank, bool has_groups, Cut const& row) {
  Partitioning partitioning;
  partitioning.kept.fill(true);
  partitioning.is_static = are_static(adjoints, sizes);
  std::int64_t shared_elements = 0;
  for (auto const& entry : adjoints.all()) {
    bool const is_shared = keep_followed(partitioning, entry, sizes, rank);
    partitioning.is_shared.push_back(is_shared);
    partitioning.own_axis.push_back(entry.axis());
    partitioning.has_members = partitioning.has_members && !entry.meets();
    partitioning.has_chunks = partitioning.has_chunks || is_shared;
    shared_elements += is_shared ? entry.adjoint.elements : 0;
  }
  partitioning.is_spread =
      has_groups && !row.has_members && is_to_spread(adjoints, partitioning, sizes);
  int const lanes = partitioning.is_spread                        ? 256
                    : row.has_members && partitioning.has_members ? row.lanes
                                                                  : 0;
  partitioning.chunks = chunks_for(partitioning, sizes, rank, shared_elements, has_groups, lanes);
  return partitioning;
}

}  // namespace tenon::internal::codegen
