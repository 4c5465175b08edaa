#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/layout.hpp>

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

TENON_RUNTIME void RowLayout::start(Accesses const& accesses, std::int64_t number) const {
  if (number == 0) return accesses.each([](MemoryAccess& a) { a.at = a.now = a.start; });
  ElementIndex const index = unravel(number, outer, outer_rank);
  accesses.each([&](MemoryAccess& a) {
    a.at = a.start + offset(a.stride, index, outer_rank);
    a.now = a.at;
  });
}

TENON_RUNTIME void RowLayout::advance(Accesses const& accesses) const {
  accesses.each([&](MemoryAccess& a) {
    a.at += at(a.stride, outer_rank - 1);
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

}  // namespace tenon::internal
