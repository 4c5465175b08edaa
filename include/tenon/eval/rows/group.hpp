#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/frame/row.hpp>
#include <tenon/eval/rows/layout.hpp>

/// How the values of a group of rows are written to memory.
namespace tenon::internal {

/// Elements of a buffer for a result that is not contiguous: it stays in the innermost cache.
inline constexpr std::int64_t block_elements = 256;

template <class T>
[[gnu::noinline]] void spread_block(T const* from, T* to, std::int64_t count, std::int64_t step) {
  for (std::int64_t i = 0; i < count; ++i) to[i * step] = from[i];
}

/// Stores the elements [begin, end) of a run of a row of a group; the first goes to `to`.
template <class T>
using StoreRun = void (*)(RowGroup const& group, std::int64_t row, T* to, std::int64_t begin,
                          std::int64_t end);

/// Stores one run of a kernel's result, which begins at `to`. A result that is not contiguous is
/// copied block by block: so the formula is compiled once for both.
template <class T>
TENON_INLINE inline void store_blocks(RowGroup const& group, std::int64_t row, StoreRun<T> store,
                                      T* to, std::int64_t begin, std::int64_t end) {
  alignas(64) T block[block_elements];
  std::int64_t const step = group.layout.out.inner;
  if (step == 1) return store(group, row, to + begin, begin, end);
  for (; begin < end; begin += block_elements) {
    std::int64_t const last = (std::min)(begin + block_elements, end);
    store(group, row, block, begin, last);
    spread_block(block, to + begin * step, last - begin, step);
  }
}

/// Stores the runs of the row of the accesses, a row of a group: one function for all formulas of a
/// dtype.
template <class T>
[[gnu::noinline]] void store_runs(RowGroup const& group, std::int64_t row, std::int64_t begin,
                                  std::int64_t end, StoreRun<T> store) {
  RowLayout const& layout = group.layout;
  T* const to = reinterpret_cast<T*>(layout.out.gradient);
  for (RowRuns run(layout.row, group.accesses); run.left; run.go_on())
    store_blocks(group, row, store, to + layout.out.now, begin, end);
}

}  // namespace tenon::internal

/// Reductions of short rows, some rows at a time: the lanes of several rows are reduced together,
/// to one row in each lane, and what is computed once a row is computed for all of them by one
/// vector operation.
namespace tenon::internal {

/// Whether the row values of a formula can be computed for several rows at a time: they are
/// reductions and row scalars, without stored rows. `leaves`: whether it may read tensors.
template <bool leaves, class Inputs>
inline constexpr bool groups_values = false;

/// The same of an input of a formula.
template <bool leaves, class F>
inline constexpr bool groups_input = false;
template <class F>
  requires(!has_row_values<F>)
inline constexpr bool groups_input<true, F> = true;
template <class M, class T>
inline constexpr bool groups_input<false, ConstantFrame<M, T>> = true;
template <bool leaves, class M, class F>
  requires std::floating_point<typename F::value_type>
inline constexpr bool groups_input<leaves, ScalarFrame<M, F>> = groups_values<false, InputsOf<F>>;
template <bool leaves, class M, class Op, class F>
  requires requires(typename F::V* values) { M::template reductions<Op>(values); }
inline constexpr bool groups_input<leaves, ReductionFrame<M, Op, F>> =
    groups_values<true, InputsOf<F>>;

template <bool leaves, class... F>
inline constexpr bool groups_values<leaves, FrameNodes<F...>> = (groups_input<leaves, F> && ...);

/// Whether a formula of row values reads elements of tensors that are adjacent along a row, and
/// has one reduction: it is faster row by row, some rows at a time, than lane by lane.
template <class F>
inline constexpr bool is_adjacent = true;
template <class M, class T, FrameReach reach>
inline constexpr bool is_adjacent<LeafFrame<M, T, reach>> = reach != FrameReach::strided;
template <class... F>
inline constexpr bool is_adjacent<FrameNodes<F...>> = (is_adjacent<F> && ...);
template <class M, class Op, class F>
inline constexpr bool is_adjacent<ReductionFrame<M, Op, F>> = is_adjacent<InputsOf<F>>;
template <class F>
inline constexpr int reductions_of = 0;
template <class M, class Op, class F>
inline constexpr int reductions_of<ReductionFrame<M, Op, F>> = 1;
template <class... F>
inline constexpr int reductions_of<FrameNodes<F...>> = (reductions_of<F> + ...);
template <class F>
inline constexpr bool is_faster_in_groups =
    groups_values<false, InputsOf<F>> && is_adjacent<InputsOf<F>> &&
    reductions_of<InputsOf<F>> == 1;

/// Whether a kernel computes several rows at a time.
template <class K>
inline constexpr bool groups_rows =
    K::is_of_reductions && has_row_values<typename K::frame_type> &&
    groups_values<!K::is_of_scalar_rows, InputsOf<typename K::frame_type>>;

/// The number of rows that a kernel computes at once: their elements fit into the L1 cache, as they
/// are read several times.
template <class M, class K>
std::int64_t rows_at_once([[maybe_unused]] K const& kernel) {
  if constexpr (!groups_rows<K>) {
    return 1;
  } else {
    constexpr std::int64_t elements = 8192;
    std::int64_t const row = std::max<std::int64_t>(1, kernel.row_work);
    return std::clamp<std::int64_t>(elements / row, 1, M::count);
  }
}

/// Stores the rows of a group, each of which has one element.
template <class M, class T, class K>
void store_scalar_rows(K& kernel, RowGroup const& group) {
  using F = typename K::frame_type;
  T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.at;
  Readers<F> from(kernel.frame);
  from.select_all(kernel.frame);
  auto const values = Trace<F>(from, 0, M::count).value();
  std::int64_t const step = group.rows > 1 ? at(kernel.out.stride, group.axis()) : 1;
  if (step == 1) M::store(values, to, static_cast<int>(group.rows));
  else
    for (int i = 0; i < group.rows; ++i) to[i * step] = M::lane(values, i);
  group.advance(group.rows - 1);
}

/// Stores the elements [begin, end) of the rows from `row` to `last` of a group: the first goes to
/// `to`, the next rows `to_row` further on. (The addresses of tensors stay in registers.)
template <class M, class F, class T>
[[gnu::noinline]] void store_rows(Formula<F> const& frame, RowGroup const& group, std::int64_t row,
                                  std::int64_t last, std::int64_t begin, std::int64_t end, T* to,
                                  std::int64_t to_row) {
  int const axis = group.axis();
  Readers<F> from(frame);
  for (; row < last; ++row, to += to_row) {
    from.select_row(frame, row);
    bool const past_caches = group.layout.past_caches && M::is_aligned(to);
    walk_lanes<M>(begin, end, [&](std::int64_t j, int n) {
      auto const value = Trace<F>(from, j, n).value();
      if (n == M::count)
        store_lanes<may_store_past_caches<F, M>, M>(value, to + j - begin, past_caches);
      else M::store(value, to + j - begin, n);
    });
    from.advance(frame, [=](MemoryAccess const& access) { return at(access.stride, axis); });
  }
}

/// Stores the elements [begin, end) of the rows of a group. (The runs of a row, or its elements in
/// the result, may be apart.)
template <class M, class T, class K>
void store_group(K& kernel, RowGroup const& group, std::int64_t begin, std::int64_t end) {
  using F = typename K::frame_type;
  if (kernel.row.rank == 1 && kernel.out.inner == 1) {
    T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.at + begin;
    store_rows<M, F>(kernel.frame, group, 0, group.rows, begin, end, to,
                     at(kernel.out.stride, group.axis()));
    return group.advance(group.rows - 1);
  }
  for (std::int64_t i = 0; i < group.rows; ++i) {
    if (i > 0) group.advance(1);
    store_runs<T>(
        group, i, begin, end,
        [](RowGroup const& of, std::int64_t row, T* to, std::int64_t first, std::int64_t last) {
          store_rows<M, F>(static_cast<K&>(of.layout).frame, of, row, row + 1, first, last, to, 0);
        });
  }
}

}  // namespace tenon::internal
