#pragma once

#include <tenon/eval/frame/frames.hpp>
#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/rows/driver.hpp>
#include <tenon/eval/rows/store.hpp>

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

/// The number of rows in a group: their elements fit into the L1 cache, as they are read several
/// times.
template <class M>
std::int64_t rows_in_group(RowLayout const& layout) {
  constexpr std::int64_t elements = 8192;
  std::int64_t const row = std::max<std::int64_t>(1, layout.row_work);
  return std::clamp<std::int64_t>(elements / row, 1, M::count);
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

/// The same of one row whose runs, or whose elements in the result, are not adjacent.
template <class M, class T, class K>
void store_row(K& kernel, RowGroup const& group, std::int64_t row) {
  using F = typename K::frame_type;
  alignas(64) T block[block_elements];
  std::int64_t const step = kernel.out.inner, inner = kernel.row.inner();
  for (RowRuns run(kernel.row, group.accesses); run.left; run.go_on()) {
    T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.now;
    for (std::int64_t j = 0, last; j < inner; j = last) {
      last = (std::min)(j + block_elements, inner);
      store_rows<M, F>(kernel.frame, group, row, row + 1, j, last, block, 0);
      spread_block(block, to + j * step, last - j, step);
    }
  }
}

template <class M, class T, class K>
void store_group(K& kernel, RowGroup const& group) {
  using F = typename K::frame_type;
  if (kernel.row.rank == 1 && kernel.out.inner == 1) {
    T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.at;
    store_rows<M, F>(kernel.frame, group, 0, group.rows, 0, kernel.row.inner(), to,
                     at(kernel.out.stride, group.axis()));
    return group.advance(group.rows - 1);
  }
  for (std::int64_t i = 0; i < group.rows; ++i) {
    if (i > 0) group.advance(1);
    store_row<M, T>(kernel, group, i);
  }
}

/// Computes `rows` rows of a result, at most `M::count`, from that of the accesses on; they end at
/// the last one.
template <class M, class T, class K>
void run_row_group(RowLayout& layout, Accesses const& accesses, std::int64_t, std::int64_t rows) {
  K& kernel = static_cast<K&>(layout);
  RowGroup const group{layout, accesses, rows};
  kernel.frame.prepare_rows(group);
  if constexpr (K::is_of_scalar_rows) store_scalar_rows<M, T>(kernel, group);
  else store_group<M, T>(kernel, group);
}

}  // namespace tenon::internal
