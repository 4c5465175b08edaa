#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/eval/access.hpp>
#include <tenon/tensor/index.hpp>

/// How the axes of a kernel are walked. Nothing here depends on its formula.
namespace tenon {

/// The axes of a row: the innermost is walked in lanes, those before it one by one.
struct ScratchRow {
  Sizes sizes = ones();
  int rank = 1;

  std::int64_t inner() const { return at(sizes, rank - 1); }
  std::int64_t size() const { return count(sizes, rank); }
};

/// The row that the last `axes` of `rank` axes make up.
ScratchRow row_of(Sizes const& sizes, int rank, int axes);

/// Do the strides walk axis i and i + 1 as if they were one?
bool walks_as_one(Sizes const& stride, Sizes const& sizes, int i);

void remove_axis(Sizes& values, int axis, int rank, std::int64_t fill);

/// Merges axes of a row that all accesses walk as one.
void collapse_row(Accesses const& accesses, ScratchRow& row);

void set_inner(Accesses const& accesses, ScratchRow const& row);

/// Merges what can be merged of a row, and notes the step of its runs.
void settle_row(Accesses const& walking, ScratchRow& row);

/// Makes the last `row_axes` of `rank` axes the row of accesses; those that walk along it.
Accesses settled_row(Accesses const& accesses, int rank, int row_axes, ScratchRow& row);

/// Rows over outer axes.
struct RowLayout {
  MemoryAccess out;  ///< Of the result, or of its adjoint.
  OwnAccesses own_accesses;
  bool has_scalar_rows = false;  ///< One element a row.
  bool has_folds = false;
  Sizes outer = ones();
  int outer_rank = 0;
  ScratchRow row{};
  std::int64_t row_work = 1;      ///< Elements that the longest fold of a row walks.
  std::int64_t element_work = 1;  ///< Elements that are folded into one of the row.
  bool past_caches = false;       ///< Is the result too large for them?
  bool shares_in_result = false;  ///< Does a shared row lie in that of the result?

  /// All accesses, that of the result among them.
  Accesses accesses() const { return own_accesses.get(); }

  /// Lays the axes out: the last are the row, the others are walked outside of it. With `merges`,
  /// adjacent rows may be one row.
  void arrange(Accesses const& all, Sizes const& sizes, int rank, int row_axes, bool merges);

  std::int64_t rows() const { return count(outer, outer_rank); }
  std::int64_t out_bytes() const { return rows() * row.size() * out.element_bytes; }

  std::int64_t last_outer() const { return outer_rank > 0 ? at(outer, outer_rank - 1) : 1; }

  /// Stands at a row.
  void start(Accesses const& accesses, std::int64_t number) const;

  /// Advances to the next row along the last outer axis.
  void advance(Accesses const& accesses) const;

 private:
  void make_one_run(Accesses const& all, Sizes const& sizes, int rank);
  void split(Accesses const& walking, Sizes const& sizes, int rank, int row_axes);

  /// Merges outer axes that all accesses walk as one, and takes away those of size 1.
  void collapse_outer(Accesses const& accesses);

  /// Makes the last outer axis part of the row while all accesses walk both as one.
  void merge_into_row(Accesses const& accesses);
};

/// The strides of memory that a result of `sizes` fills.
MemoryAccess access_out(std::byte* memory, Sizes const& strides, std::size_t element_bytes);

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/layout.ipp>
#endif
