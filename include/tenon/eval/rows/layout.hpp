#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/access.hpp>
#include <tenon/tensor/expression.hpp>
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
  std::int64_t cut_row = -1;  ///< The number of a row that is shorter than the others; -1: none.
  std::int64_t cut_end = 0;   ///< Its elements.
  bool past_caches = false;   ///< Whether the result is too large for the caches.
  bool shares_in_result = false;  ///< Whether a shared row uses the memory of the result's row.

  /// All accesses, including the result's.
  Accesses accesses() const { return own_accesses.get(); }

  /// Arranges the axes: the last ones are the row, the others are outer loops. With `merges`,
  /// adjacent rows may become one row.
  void arrange(Accesses const& all, Sizes const& sizes, int rank, int row_axes, bool merges);

  std::int64_t rows() const { return count(outer, outer_rank); }
  std::int64_t out_bytes() const { return rows() * row.size() * out.element_bytes; }

  std::int64_t last_outer() const { return outer_rank > 0 ? at(outer, outer_rank - 1) : 1; }

  /// Makes one row of `count` adjacent ones of the only outer axis; the last may be shorter.
  void join_rows(std::int64_t count);

  /// Moves the accesses to a row.
  void start(Accesses const& accesses, std::int64_t number) const;

  /// Advances by some rows along the last outer axis.
  void advance(Accesses const& accesses, std::int64_t count = 1) const;

 private:
  void make_one_run(Accesses const& all, Sizes const& sizes, int rank);
  void split(Accesses const& walking, Sizes const& sizes, int rank, int row_axes);

  /// Merges outer axes that all accesses walk as one, and removes those of size 1.
  void collapse_outer(Accesses const& accesses);

  /// Makes the last outer axis part of the row while all accesses walk both as one.
  void merge_into_row(Accesses const& accesses);
};

/// Adjacent rows along the last outer axis, from that of the accesses on.
struct RowGroup {
  RowLayout& layout;
  Accesses const& accesses;
  std::int64_t rows;

  int axis() const { return layout.outer_rank > 0 ? layout.outer_rank - 1 : 0; }
  void advance(std::int64_t count) const { layout.advance(accesses, count); }
};

/// The access to contiguous memory of a result of `sizes`.
MemoryAccess access_out(std::byte* memory, Sizes const& strides, std::size_t element_bytes);

/// The access to a tensor's elements as the result of a kernel.
template <TensorType R>
MemoryAccess access_to_result(R const& result, typename R::value_type* memory) {
  return access_out(reinterpret_cast<std::byte*>(memory), row_major(result.sizes(), R::rank),
                    sizeof(typename R::value_type));
}

}  // namespace tenon::internal

/// How the rows of a kernel are walked: run by run, a run in lanes.
namespace tenon::internal {

/// The runs of a row, one after the other: the accesses are moved to the start of a run, and after
/// the last one back to that of the row. (A single run begins where the row does.)
class RowRuns {
 public:
  bool left;

  TENON_INLINE RowRuns(ScratchRow const& row, Accesses const& accesses)
      : left(row.size() != 0), row_(row), accesses_(accesses) {
    if (row_.rank > 1) move();
  }
  TENON_INLINE void go_on() { left = row_.rank > 1 && go_to_next(); }

 private:
  void move();
  bool go_to_next();

  ScratchRow const& row_;
  Accesses accesses_;
  ElementIndex middle_{};
};

/// The number of lanes of a tail: compilers can assume that it is less than a vector, and omit the
/// code for a whole one.
template <class M>
TENON_INLINE inline int tail_lanes(std::int64_t left) {
  if (left <= 0 || left >= M::count) __builtin_unreachable();
  return static_cast<int>(left);
}

/// Calls `body(j, n)` for the lanes from `begin` to `end`: all lanes of a vector, then the tail.
template <class M, class Body>
TENON_INLINE inline void walk_lanes(std::int64_t begin, std::int64_t end, Body const& body) {
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) body(j, M::count);
  if (j < end) body(j, tail_lanes<M>(end - j));
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME ScratchRow row_of(Sizes const& sizes, int rank, int axes) {
  ScratchRow row;
  row.rank = axes > 0 ? axes : 1;
  for (int i = 0; i < axes; ++i) at(row.sizes, i) = at(sizes, rank - axes + i);
  return row;
}

TENON_RUNTIME bool walks_as_one(Sizes const& stride, Sizes const& sizes, int i) {
  return at(stride, i) == at(stride, i + 1) * at(sizes, i + 1);
}

TENON_RUNTIME void remove_axis(Sizes& values, int axis, int rank, std::int64_t fill) {
  for (int i = axis; i + 1 < rank; ++i) at(values, i) = at(values, i + 1);
  at(values, rank - 1) = fill;
}

/// Merges axes of a row that all accesses walk as one.
[[gnu::noinline]] TENON_RUNTIME void collapse_row(Accesses const& accesses, ScratchRow& row) {
  for (int i = row.rank - 2; i >= 0; --i) {
    if (!accesses.all([&](MemoryAccess& a) { return walks_as_one(a.row, row.sizes, i); })) continue;
    at(row.sizes, i) *= at(row.sizes, i + 1);
    remove_axis(row.sizes, i + 1, row.rank, 1);
    accesses.each([&](MemoryAccess& a) { remove_axis(a.row, i, row.rank, 0); });
    --row.rank;
  }
}

TENON_RUNTIME void set_inner(Accesses const& accesses, ScratchRow const& row) {
  accesses.each([&](MemoryAccess& access) { access.inner = at(access.row, row.rank - 1); });
}

/// Merges all mergeable axes of a row, and stores the step of its runs.
TENON_RUNTIME void materialize_row(Accesses const& walking, ScratchRow& row) {
  collapse_row(walking, row);
  set_inner(walking, row);
}

TENON_RUNTIME Accesses materialized_row(Accesses const& accesses, int rank, int row_axes,
                                        ScratchRow& row) {
  accesses.enter_row(rank, row_axes);
  Accesses const walking = accesses.made_row();
  materialize_row(walking, row);
  return walking;
}

/// Whether the strides walk all axes as if they were one.
TENON_RUNTIME bool walks_in_one_run(Sizes const& stride, Sizes const& sizes, int rank) {
  for (int i = rank - 2; i >= 0; --i) {
    if (!walks_as_one(stride, sizes, i)) return false;
  }
  return true;
}

TENON_RUNTIME void RowLayout::make_one_run(Accesses const& all, Sizes const& sizes, int rank) {
  tenon::internal::at(row.sizes, 0) = count(sizes, rank);
  all.each([&](MemoryAccess& access) {
    access.inner = tenon::internal::at(access.row, 0) =
        tenon::internal::at(access.stride, rank - 1);
    access.stride = Sizes{};
  });
}

[[gnu::noinline]] TENON_RUNTIME void RowLayout::arrange(Accesses const& all, Sizes const& sizes,
                                                        int rank, int row_axes, bool merges) {
  own_accesses = all;
  merges = merges && rank > 0 && !has_reductions;
  if (merges && all.all([&](MemoryAccess& a) { return walks_in_one_run(a.stride, sizes, rank); })) {
    make_one_run(all, sizes, rank);
  } else {
    split(all.made_row(), sizes, rank, row_axes);
    if (merges) merge_into_row(all);
    collapse_outer(all);
  }
  row_work = row.size();
}

[[gnu::noinline]] TENON_RUNTIME void RowLayout::split(Accesses const& walking, Sizes const& sizes,
                                                      int rank, int row_axes) {
  outer_rank = rank - row_axes;
  for (int i = 0; i < outer_rank; ++i)
    tenon::internal::at(outer, i) = tenon::internal::at(sizes, i);
  row = row_of(sizes, rank, row_axes);
  walking.enter_row(rank, row_axes);
  if (row_axes > 0) materialize_row(walking, row);
  else set_inner(walking, row);
}

TENON_RUNTIME void RowLayout::join_rows(std::int64_t count) {
  std::int64_t& all = tenon::internal::at(outer, 0);
  if (all % count != 0) {
    cut_row = all / count;
    cut_end = all % count * row.inner();
  }
  all = (all + count - 1) / count;
  tenon::internal::at(row.sizes, 0) *= count;
  row_work = row.size();
}

TENON_RUNTIME void RowLayout::start(Accesses const& accesses, std::int64_t number) const {
  if (number == 0) return accesses.each([](MemoryAccess& a) { a.at = a.now = a.start; });
  ElementIndex const index = unravel(number, outer, outer_rank);
  accesses.each([&](MemoryAccess& a) {
    a.at = a.start + offset(a.stride, index, outer_rank);
    a.now = a.at;
  });
}

TENON_RUNTIME void RowLayout::advance(Accesses const& accesses, std::int64_t count) const {
  if (count == 0) return;
  accesses.each([&](MemoryAccess& a) {
    a.at += count * at(a.stride, outer_rank - 1);
    a.now = a.at;
  });
}

[[gnu::noinline]] TENON_RUNTIME void RowLayout::collapse_outer(Accesses const& accesses) {
  for (int i = outer_rank - 1; i >= 0; --i) {
    bool const is_one = at(outer, i) == 1;
    bool const merges = !is_one && i + 1 < outer_rank && accesses.all([&](MemoryAccess& a) {
      return walks_as_one(a.stride, outer, i);
    });
    if (!is_one && !merges) continue;
    if (merges) at(outer, i + 1) *= at(outer, i);
    accesses.each([&](MemoryAccess& a) { remove_axis(a.stride, i, outer_rank, 0); });
    remove_axis(outer, i, outer_rank, 1);
    --outer_rank;
  }
}

[[gnu::noinline]] TENON_RUNTIME void RowLayout::merge_into_row(Accesses const& accesses) {
  while (outer_rank > 0 && row.rank == 1) {
    int const last = outer_rank - 1;
    bool const merges = accesses.all(
        [&](MemoryAccess& a) { return at(a.stride, last) == at(a.row, 0) * at(row.sizes, 0); });
    if (!merges) return;
    at(row.sizes, 0) *= at(outer, last);
    accesses.each([&](MemoryAccess& a) { at(a.stride, last) = 0; });
    at(outer, last) = 1;
    --outer_rank;
  }
}

TENON_RUNTIME MemoryAccess access_out(std::byte* memory, Sizes const& strides,
                                      std::size_t element_bytes) {
  MemoryAccess out{};
  out.gradient = memory;
  out.data = memory;
  out.stride = strides;
  out.element_bytes = static_cast<std::int64_t>(element_bytes);
  return out;
}

[[gnu::noinline]] TENON_RUNTIME void RowRuns::move() {
  accesses_.each([&](MemoryAccess& access) {
    access.now = access.at + offset(access.row, middle_, row_.rank - 1);
  });
}

TENON_RUNTIME bool RowRuns::go_to_next() {
  bool const more = next(middle_, row_.sizes, row_.rank - 1);
  move();
  return more;
}

}  // namespace tenon::internal

#endif
