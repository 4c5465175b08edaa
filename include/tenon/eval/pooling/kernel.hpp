#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/machine.hpp>
#include <tenon/eval/pooling/layout.hpp>
#include <tenon/eval/rows/chunks.hpp>
#include <tenon/op/cast.hpp>
#include <tenon/op/reduction.hpp>

/// The loops of pooling. The operand is read in place: for a row of the result, `machine::count`
/// places at a time, the elements of all windows are combined in row-major order.
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
auto multiples(std::int64_t step) {
  std::int32_t all[M::count];
  for (int i = 0; i < M::count; ++i) all[i] = static_cast<std::int32_t>(i * step);
  return M::load(all);
}

/// The maximum of every window, with its position: that of the first of equal elements, or of the
/// first NaN; -1 in a window of padding alone.
template <class T, bool has_positions>
struct WindowMaxima {
  T* values;
  std::int32_t* positions;

  template <class M>
  struct Fold {
    using V = typename M::template vector<Computed<T>>;
    using P = typename M::template vector<std::int32_t>;
    V best = V(op::MaxReduction::identity<Computed<T>>);
    P position = P(-1), ramp;

    explicit Fold(PooledAxis const& inner) : ramp(multiples<M>(inner.stride * inner.weight)) {}
    void begin(std::int64_t first) {
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
    void store(WindowMaxima const& to, std::int64_t place, int n, bool is_empty) const {
      store_places<M>(best, to.values + place, n);
      if constexpr (has_positions)
        store_places<M>(is_empty ? P(-1) : position, to.positions + place, n);
    }
  };
};

/// The sum of every window, divided by the number of its elements, padding included.
template <class T>
struct WindowMeans {
  T* values;
  Computed<T> divisor;

  template <class M>
  struct Fold {
    using V = typename M::template vector<Computed<T>>;
    V sum = V(Computed<T>(0));

    explicit Fold(PooledAxis const&) {}
    void begin(std::int64_t) { sum = V(Computed<T>(0)); }
    TENON_INLINE void take(V const& x, std::int64_t) { sum = sum + x; }
    void store(WindowMeans const& to, std::int64_t place, int n, bool) const {
      store_places<M>(sum / V(to.divisor), to.values + place, n);
    }
  };
};

/// Places `from` to before `to` of a row of the result, `M::count` at a time; elements `first` to
/// before `last` of their windows along the innermost axis are not padding.
struct PlaceRun {
  std::int64_t from, to, first, last;
};

template <class M, class Out, class T>
TENON_INLINE inline void pool_run(PlaceRun const& run, PoolingRows const& row,
                                  PooledAxis const& inner, T const* x, Out const& out,
                                  std::int64_t written) {
  typename Out::template Fold<M> fold(inner);
  bool const is_empty = row.count == 0 || run.first >= run.last;
  for (std::int64_t place = run.from; place < run.to; place += M::count) {
    int const n = static_cast<int>(std::min<std::int64_t>(M::count, run.to - place));
    std::int64_t const start = inner.start(place);
    fold.begin(row.taps[0].position + (start + run.first * inner.dilation) * inner.weight);
    for (std::int64_t tap = 0; tap < row.count; ++tap) {
      auto const [offset, position] = row.taps[tap];
      for (std::int64_t k = run.first; k < run.last; ++k) {
        std::int64_t const element = start + k * inner.dilation;
        fold.take(load_places<M>(x + row.base + offset + element, inner.stride, n),
                  position + element * inner.weight);
      }
    }
    fold.store(out, written + place, n, is_empty);
  }
}

/// A row of the result: the places at both ends, whose windows have padding, one by one.
template <class M, class Out, class T>
void pool_row(PoolingRows const& row, PooledAxis const& inner, T const* x, Out const& out,
              std::int64_t written) {
  std::int64_t const begin = inner.begin(0);
  std::int64_t const end = (std::max)(begin, inner.end(inner.window - 1));
  auto const at_end = [&](std::int64_t place) {
    pool_run<ScalarMachine>({place, place + 1, inner.first(place), inner.last(place)}, row, inner,
                            x, out, written);
  };
  for (std::int64_t place = 0; place < begin; ++place) at_end(place);
  pool_run<M>({begin, end, 0, inner.window}, row, inner, x, out, written);
  for (std::int64_t place = end; place < inner.places; ++place) at_end(place);
}

/// Calls `f(row, number)` for rows of the result, in order.
template <class F>
void for_each_pooled_row(PoolingLayout const& layout, std::int64_t from, std::int64_t to,
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
  return static_cast<std::size_t>(layout.most_taps()) * sizeof(PoolingTap);
}

/// All windows of `x`, in chunks of rows that do not depend on the number of threads.
template <class Backend, class Out, class T>
void pool_windows(PoolingLayout const& layout, T const* x, Out const& out) {
  PooledAxis const& inner = layout.inner();
  std::int64_t const rows = inner.places == 0 ? 0 : layout.rows();
  std::int64_t const work = layout.window_size() * std::max<std::int64_t>(inner.places, 1);
  std::int64_t const each = std::max<std::int64_t>(1, chunk_elements / work);
  Backend::parallel_for(
      (rows + each - 1) / each, tap_bytes(layout), [&](std::int64_t chunk, std::byte* scratch) {
        for_each_pooled_row(layout, chunk * each, (std::min)(rows, (chunk + 1) * each), scratch,
                            [&](PoolingRows const& row, std::int64_t number) {
                              pool_row<typename Backend::machine>(row, inner, x, out,
                                                                  number * inner.places);
                            });
      });
}

/// Calls `f(row, number, scratch)` for all rows of the result, in order within each part of the
/// operand, and concurrently for several parts: those of one chunk are set to zero before.
/// `scratch` has `bytes` bytes.
template <class Backend, class T, class F>
void spread_windows(PoolingLayout const& layout, T* to, std::size_t bytes, F const& f) {
  std::int64_t const parts = layout.parts(), size = layout.part_size();
  std::int64_t const rows = parts == 0 ? 0 : layout.rows() / parts;
  std::int64_t const each = std::max<std::int64_t>(1, chunk_elements / std::max<std::int64_t>(size, 1));
  std::size_t const taps = (tap_bytes(layout) + 63) / 64 * 64;
  Backend::parallel_for(
      (parts + each - 1) / each, taps + bytes, [&](std::int64_t chunk, std::byte* scratch) {
        std::int64_t const from = chunk * each, end = (std::min)(parts, from + each);
        std::fill_n(to + from * size, (end - from) * size, T(0));
        for_each_pooled_row(
            layout, from * rows, end * rows, scratch,
            [&](PoolingRows const& row, std::int64_t number) { f(row, number, scratch + taps); });
      });
}

/// Calls `f(place, element)` for the places of a row of the result, with the offsets of the
/// elements at `positions`; not where the position is -1.
template <class F>
void for_each_position(PoolingLayout const& layout, PoolingRows const& row, std::int64_t number,
                       std::int32_t const* positions, F const& f) {
  PooledAxis const& inner = layout.inner();
  std::int64_t const begin = number * inner.places, step = inner.is_pooled() ? 0 : 1;
  for (std::int64_t i = 0; i < inner.places; ++i)
    if (positions[begin + i] >= 0)
      f(begin + i, row.base + i * step + layout.offset(positions[begin + i]));
}

/// Adds every element of `dy` to the element of `to` at its position.
template <class Backend, class T>
void scatter_to_positions(PoolingLayout const& layout, T const* dy, std::int32_t const* positions,
                          T* to) {
  spread_windows<Backend>(
      layout, to, 0, [&](PoolingRows const& row, std::int64_t number, std::byte*) {
        for_each_position(layout, row, number, positions,
                          [&](std::int64_t place, std::int64_t element) { to[element] += dy[place]; });
      });
}

/// The elements of `x` at the positions; 0 where there is none.
template <class T>
void gather_from_positions(PoolingLayout const& layout, T const* x, std::int32_t const* positions,
                           T* to) {
  SharedBuffer const taps(tap_bytes(layout));
  std::fill_n(to, layout.rows() * layout.inner().places, T(0));
  for_each_pooled_row(layout, 0, layout.inner().places == 0 ? 0 : layout.rows(),
                      taps.as<std::byte>(), [&](PoolingRows const& row, std::int64_t number) {
                        for_each_position(
                            layout, row, number, positions,
                            [&](std::int64_t place, std::int64_t element) { to[place] = x[element]; });
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

/// Divides every element of `dy` equally among the elements of its window; the part of the padding
/// is dropped.
template <class Backend, class T>
void spread_means(PoolingLayout const& layout, T const* dy, T* to) {
  using M = typename Backend::machine;
  PooledAxis const& inner = layout.inner();
  T const divisor = static_cast<T>(layout.window_size());
  auto const bytes = static_cast<std::size_t>(inner.places) * sizeof(T);
  spread_windows<Backend>(
      layout, to, bytes, [&](PoolingRows const& row, std::int64_t number, std::byte* scratch) {
        T* const share = reinterpret_cast<T*>(scratch);
        for (std::int64_t i = 0; i < inner.places; ++i)
          share[i] = dy[number * inner.places + i] / divisor;
        for (std::int64_t tap = 0; tap < row.count; ++tap)
          for (std::int64_t k = 0; k < inner.window; ++k) {
            std::int64_t const begin = inner.begin(k), end = inner.end(k);
            std::int64_t const element = inner.start(begin) + k * inner.dilation;
            if (begin < end)
              add_to_places<M>(to + row.base + row.taps[tap].offset + element, inner.stride,
                               share + begin, end - begin);
          }
      });
}

}  // namespace tenon::internal
