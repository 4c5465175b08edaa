#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/eval/access.hpp>
#include <tenon/tensor/index.hpp>

/// How the axes of a kernel are walked. Nothing here depends on its formula.
namespace tenon::internal {

/// The axes of a row: the innermost is walked in lanes, those before it one element at a time.
struct ScratchRow {
  Sizes sizes = unit_sizes();
  int rank = 1;

  std::int64_t inner() const { return at(sizes, rank - 1); }
  std::int64_t size() const { return count(sizes, rank); }
};

/// The row formed by the last `axes` of `rank` axes.
ScratchRow row_of(Sizes const& sizes, int rank, int axes);

/// Whether the strides walk axis i and i + 1 as if they were one.
bool walks_as_one(Sizes const& stride, Sizes const& sizes, int i);

void remove_axis(Sizes& values, int axis, int rank, std::int64_t fill);

/// Merges axes of a row that all accesses walk as one.
void collapse_row(Accesses const& accesses, ScratchRow& row);

void set_inner(Accesses const& accesses, ScratchRow const& row);

/// Merges all mergeable axes of a row, and stores the step of its runs.
void materialize_row(Accesses const& walking, ScratchRow& row);

/// Makes the last `row_axes` of `rank` axes the row of accesses; returns those that walk along it.
Accesses materialized_row(Accesses const& accesses, int rank, int row_axes, ScratchRow& row);

/// Rows over outer axes.
struct RowLayout {
  MemoryAccess out;  ///< Of the result, or of its adjoint.
  OwnAccesses own_accesses;
  bool has_scalar_rows = false;  ///< One element per row.
  bool has_reductions = false;
  Sizes outer = unit_sizes();
  int outer_rank = 0;
  ScratchRow row{};
  std::int64_t row_work = 1;      ///< Elements read by the longest reduction of a row.
  std::int64_t element_work = 1;  ///< Elements that are reduced to one element of the row.
  bool past_caches = false;       ///< Whether the result is too large for the caches.
  bool shares_in_result = false;  ///< Whether a shared row uses the memory of the result's row.

  /// All accesses, including the result's.
  Accesses accesses() const { return own_accesses.get(); }

  /// Arranges the axes: the last ones are the row, the others are outer loops. With `merges`,
  /// adjacent rows may become one row.
  void arrange(Accesses const& all, Sizes const& sizes, int rank, int row_axes, bool merges);

  std::int64_t rows() const { return count(outer, outer_rank); }
  std::int64_t out_bytes() const { return rows() * row.size() * out.element_bytes; }

  std::int64_t last_outer() const { return outer_rank > 0 ? at(outer, outer_rank - 1) : 1; }

  /// Moves the accesses to a row.
  void start(Accesses const& accesses, std::int64_t number) const;

  /// Advances to the next row along the last outer axis.
  void advance(Accesses const& accesses) const;

 private:
  void make_one_run(Accesses const& all, Sizes const& sizes, int rank);
  void split(Accesses const& walking, Sizes const& sizes, int rank, int row_axes);

  /// Merges outer axes that all accesses walk as one, and removes those of size 1.
  void collapse_outer(Accesses const& accesses);

  /// Makes the last outer axis part of the row while all accesses walk both as one.
  void merge_into_row(Accesses const& accesses);
};

/// The access to contiguous memory of a result of `sizes`.
MemoryAccess access_out(std::byte* memory, Sizes const& strides, std::size_t element_bytes);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/layout.ipp>
#endif
