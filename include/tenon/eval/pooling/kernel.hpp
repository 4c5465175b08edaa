#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/machine.hpp>
#include <tenon/eval/pooling/layout.hpp>
#include <tenon/eval/rows/adjoints.hpp>
#include <tenon/op/cast.hpp>
#include <tenon/op/reduction.hpp>
#include <tenon/tensor/memory.hpp>

/// The loops of pooling. The operand is read in place: for `machine::count` elements of a row of
/// the result at a time, those of their windows are combined in row-major order.
namespace tenon::internal {

/// `n` elements, `stride` apart, in the dtype of arithmetic.
template <class M, class T>
TENON_INLINE inline auto load_places(T const* from, std::int64_t stride, int n) {
  using C = Computed<T>;
  if (stride != 1) return op::Cast<C>::f(M::load_strided(from, stride, n));
  return op::Cast<C>::f(n == M::count ? M::load(from) : M::load(from, n));
}
template <class M, class T, class V>
TENON_INLINE inline void store_places(V const& x, T* to, int n) {
  auto const value = op::Cast<T>::f(x);
  if (n == M::count) M::store(value, to);
  else M::store(value, to, n);
}

/// 0, 1, 2 … times `step`.
template <class M>
TENON_INLINE inline auto multiples(std::int64_t step) {
  static constexpr auto numbers = [] {
    std::array<std::int32_t, std::size_t{M::count}> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    return all;
  }();
  using P = typename M::template vector<std::int32_t>;
  return M::load(numbers.data()) * P(static_cast<std::int32_t>(step));
}

/// The maximum of every window, with its position: that of the first of equal elements, or of the
/// first NaN; -1 in a window of padding alone.
template <class T, bool has_positions>
struct WindowMaxima {
  static constexpr bool reads_positions = has_positions;
  T* values;
  std::int32_t* positions;

  template <class M>
  struct Fold {
    using V = typename M::template vector<Computed<T>>;
    using P = typename M::template vector<std::int32_t>;
    V best = V(op::MaxReduction::identity<Computed<T>>);
    P position = P(-1), ramp;

    TENON_INLINE explicit Fold(std::int64_t weight) : ramp(multiples<M>(weight)) {}
    TENON_INLINE void begin(std::int64_t first) {
      best = V(op::MaxReduction::identity<Computed<T>>);
      position = P(static_cast<std::int32_t>(first)) + ramp;
    }
    TENON_INLINE void take(V const& x, std::int64_t at) {
      using intrinsics::select;
      intrinsics::mask_of<V> const is_number = best == best, is_better = is_number & !(x <= best);
      best = select(is_better, x, best);
      if constexpr (has_positions)
        position = select(is_better, P(static_cast<std::int32_t>(at)) + ramp, position);
    }
    TENON_INLINE void store(WindowMaxima const& to, std::int64_t at, int n, bool is_empty) const {
      store_places<M>(best, to.values + at, n);
      if constexpr (has_positions)
        store_places<M>(is_empty ? P(-1) : position, to.positions + at, n);
    }
  };
};

/// The sum of every window, divided by the number of its elements, padding included.
template <class T>
struct WindowMeans {
  static constexpr bool reads_positions = false;
  T* values;
  Computed<T> divisor;

  template <class M>
  struct Fold {
    using V = typename M::template vector<Computed<T>>;
    V sum = V(Computed<T>(0));

    explicit Fold(std::int64_t) {}
    TENON_INLINE void begin(std::int64_t) { sum = V(Computed<T>(0)); }
    TENON_INLINE void take(V const& x, std::int64_t) { sum = sum + x; }
    TENON_INLINE void store(WindowMeans const& to, std::int64_t at, int n, bool) const {
      store_places<M>(sum / V(to.divisor), to.values + at, n);
    }
  };
};

/// Elements of a row of the result whose windows have the same elements: numbers `first` to before
/// `last` along the last pooled axis. The first window begins at `from`, at `position`; the next
/// ones at a distance of `stride` and `weight`.
struct WindowRun {
  std::int64_t count, from, position, stride, weight, first, last;
};

template <class M, class Out, class T>
TENON_INLINE inline void pool_run(WindowRun const& run, PoolingRows const& row,
                                  PooledAxis const& last, T const* x, Out const& out,
                                  std::int64_t written) {
  typename Out::template Fold<M> fold(run.weight);
  bool const is_empty = row.count == 0 || run.first >= run.last;
  std::int64_t const step = last.dilation * last.step, weight = last.dilation * last.weight;
  for (std::int64_t i = 0; i < run.count; i += M::count) {
    int const n = static_cast<int>(std::min<std::int64_t>(M::count, run.count - i));
    std::int64_t const from = run.from + i * run.stride, at = run.position + i * run.weight;
    fold.begin(at + row.taps[0].position + run.first * weight);
    for (std::int64_t tap = 0; tap < row.count; ++tap) {
      auto const [offset, position] = row.taps[tap];
      for (std::int64_t k = run.first; k < run.last; ++k)
        fold.take(load_places<M>(x + (from + offset + k * step), run.stride, n),
                  at + position + k * weight);
    }
    fold.store(out, written + i, n, is_empty);
  }
}

/// The windows of one place.
template <class M, class Out, class T>
TENON_INLINE inline void pool_place(PoolingLayout const& layout, PoolingRows const& row,
                                    std::int64_t place, T const* x, Out const& out,
                                    std::int64_t written) {
  PooledAxis const& last = layout.last();
  std::int64_t const start = last.start(place);
  pool_run<M>({layout.width, row.start + start * last.step, row.position + start * last.weight, 1,
               0, last.first(place), last.last(place)},
              row, last, x, out, written + place * layout.width);
}

/// Places without padding, whose elements follow one another at a constant distance.
template <class M, class Out, class T>
TENON_INLINE inline void pool_places(PoolingLayout const& layout, PoolingRows const& row,
                                     std::int64_t begin, std::int64_t end, T const* x,
                                     Out const& out, std::int64_t written) {
  PooledAxis const& last = layout.last();
  std::int64_t const start = last.start(begin);
  pool_run<M>(
      {(end - begin) * layout.width, row.start + start * last.step,
       row.position + start * last.weight, last.stride, last.stride * last.weight, 0, last.window},
      row, last, x, out, written + begin * layout.width);
}

/// A row of the result: the places at both ends, whose windows have padding, one by one, as one or
/// two places are.
template <class M, class Out, class T>
void pool_row(PoolingLayout const& layout, PoolingRows const& row, T const* x, Out const& out,
              std::int64_t written) {
  PooledAxis const& last = layout.last();
  std::int64_t const begin = last.begin(0);
  std::int64_t const end = (std::max)(begin, last.end(last.window - 1));
  bool const is_regular =
      layout.width == 1 ? end - begin > 2 : last.stride == 1 && !Out::reads_positions;
  for (std::int64_t place = 0; place < last.places; ++place) {
    if (is_regular && begin <= place && place < end) {
      pool_places<M>(layout, row, begin, end, x, out, written);
      place = end - 1;
    } else if (layout.width == 1) {
      pool_place<ScalarMachine>(layout, row, place, x, out, written);
    } else {
      pool_place<M>(layout, row, place, x, out, written);
    }
  }
}

/// Calls `f(row, number)` for rows of the result, in order.
template <class F>
void for_each_output_row(PoolingLayout const& layout, std::int64_t from, std::int64_t to,
                         std::byte* scratch, F const& f) {
  if (from >= to) return;
  PoolingRows row(layout, from, reinterpret_cast<PoolingTap*>(scratch));
  for (std::int64_t number = from; number < to; ++number) {
    if (number > from) row.next();
    f(row, number);
  }
}

/// The bytes of the taps of a row.
inline std::size_t tap_bytes(PoolingLayout const& layout) {
  return (static_cast<std::size_t>(layout.most_taps) * sizeof(PoolingTap) + 63) / 64 * 64;
}

/// All windows of `x`, in chunks of rows that do not depend on the number of threads.
template <class Backend, class Out, class T>
void pool_windows(PoolingLayout const& layout, T const* x, Out const& out) {
  std::int64_t const size = layout.row_size(), rows = size == 0 ? 0 : layout.rows;
  std::int64_t const work = layout.window_size() * std::max<std::int64_t>(size, 1);
  std::int64_t const each = std::max<std::int64_t>(1, chunk_elements / work);
  Backend::parallel_for(
      (rows + each - 1) / each, tap_bytes(layout), [&](std::int64_t chunk, std::byte* scratch) {
        for_each_output_row(layout, chunk * each, (std::min)(rows, (chunk + 1) * each), scratch,
                            [&](PoolingRows const& row, std::int64_t number) {
                              pool_row<typename Backend::machine>(layout, row, x, out,
                                                                  number * size);
                            });
      });
}

/// Calls `f(row, number, scratch)` for all rows of the result, in order within each part of the
/// operand, whose elements are set to zero before, and concurrently for several. `scratch` has
/// `bytes` bytes.
template <class Backend, class T, class F>
void spread_windows(PoolingLayout const& layout, T* to, std::size_t bytes, F const& f) {
  std::int64_t const parts = layout.parts, size = layout.part_size();
  std::int64_t const rows = parts == 0 ? 0 : layout.rows / parts;
  std::int64_t const each =
      std::max<std::int64_t>(1, chunk_elements / std::max<std::int64_t>(size, 1));
  std::size_t const taps = tap_bytes(layout);
  Backend::parallel_for(
      (parts + each - 1) / each, taps + bytes, [&](std::int64_t chunk, std::byte* scratch) {
        std::int64_t const from = chunk * each, end = (std::min)(parts, from + each);
        std::fill_n(to + from * size, (end - from) * size, T(0));
        for_each_output_row(
            layout, from * rows, end * rows, scratch,
            [&](PoolingRows const& row, std::int64_t number) { f(row, number, scratch + taps); });
      });
}

/// Calls `f(i, element)` for the elements i of a row of the result and the offsets in the operand
/// of those at their positions; not where the position is -1.
template <class F>
TENON_INLINE inline void for_each_position(PoolingLayout const& layout, PoolingRows const& row,
                                           std::int64_t number, std::int32_t const* positions,
                                           F const& f) {
  std::int64_t const end = (number + 1) * layout.row_size();
  std::int64_t const width = layout.width == 1 ? end : layout.width,
                     step = layout.width == 1 ? 0 : 1;
  for (std::int64_t begin = number * layout.row_size(); begin < end; begin += width)
    for (std::int64_t i = begin; i < (std::min)(end, begin + width); ++i)
      if (positions[i] >= 0) f(i, row.base + (i - begin) * step + layout.offset(positions[i]));
}

/// Adds every element of `dy` to the element of `to` at its position.
template <class Backend, class T>
void scatter_to_positions(PoolingLayout const& layout, T const* dy, std::int32_t const* positions,
                          T* to) {
  spread_windows<Backend>(
      layout, to, 0, [&](PoolingRows const& row, std::int64_t number, std::byte*) {
        for_each_position(layout, row, number, positions,
                          [&](std::int64_t i, std::int64_t element) { to[element] += dy[i]; });
      });
}

/// The elements of `x` at the positions; 0 where there is none.
template <class T>
void gather_from_positions(PoolingLayout const& layout, T const* x, std::int32_t const* positions,
                           T* to) {
  SharedBuffer const taps(tap_bytes(layout));
  std::fill_n(to, layout.rows * layout.row_size(), T(0));
  for_each_output_row(layout, 0, layout.rows, taps.as<std::byte>(),
                      [&](PoolingRows const& row, std::int64_t number) {
                        for_each_position(
                            layout, row, number, positions,
                            [&](std::int64_t i, std::int64_t element) { to[i] = x[element]; });
                      });
}

/// to[i * stride] += from[i].
template <class M, class T>
TENON_INLINE inline void add_to_places(T* to, std::int64_t stride, T const* from, std::int64_t n) {
  if (stride != 1) {
    for (std::int64_t i = 0; i < n; ++i) to[i * stride] += from[i];
    return;
  }
  for (std::int64_t i = 0; i < n; i += M::count) {
    int const now = static_cast<int>(std::min<std::int64_t>(M::count, n - i));
    store_places<M>(load_places<M>(to + i, 1, now) + load_places<M>(from + i, 1, now), to + i, now);
  }
}

/// Adds the elements of a row to element number k of their windows.
template <class M, class T>
void add_to_element(PoolingLayout const& layout, std::int64_t k, T const* row, T* to) {
  PooledAxis const& last = layout.last();
  std::int64_t const width = layout.width, end = last.end(k);
  bool const is_regular = width == 1 || last.stride == 1;
  for (std::int64_t place = last.begin(k); place < end; place = is_regular ? end : place + 1) {
    std::int64_t const element = last.start(place) + k * last.dilation;
    add_to_places<M>(to + element * width, width == 1 ? last.stride : 1, row + place * width,
                     is_regular ? (end - place) * width : width);
  }
}

/// Adds the elements of a row to all elements of their windows in a row of the operand.
template <class M, class T>
void add_row(PoolingLayout const& layout, T const* row, T* to) {
  PooledAxis const& last = layout.last();
  if (layout.width > 1 || last.places >= last.window) {
    for (std::int64_t k = 0; k < last.window; ++k) add_to_element<M>(layout, k, row, to);
    return;
  }
  for (std::int64_t place = 0; place < last.places; ++place)
    for (std::int64_t k = last.first(place), end = last.last(place); k < end; ++k)
      to[last.start(place) + k * last.dilation] += row[place];
}

/// Divides every element of `dy` equally among the elements of its window; the part of the padding
/// is dropped.
template <class Backend, class T>
void spread_means(PoolingLayout const& layout, T const* dy, T* to) {
  T const divisor = static_cast<T>(layout.window_size());
  std::int64_t const size = layout.row_size();
  spread_windows<Backend>(layout, to, static_cast<std::size_t>(size) * sizeof(T),
                          [&](PoolingRows const& row, std::int64_t number, std::byte* scratch) {
                            T* const share = reinterpret_cast<T*>(scratch);
                            for (std::int64_t i = 0; i < size; ++i)
                              share[i] = dy[number * size + i] / divisor;
                            for (std::int64_t tap = 0; tap < row.count; ++tap)
                              add_row<typename Backend::machine>(
                                  layout, share, to + row.start + row.taps[tap].offset);
                          });
}

}  // namespace tenon::internal
