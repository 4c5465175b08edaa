#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/backend/cpu/depthwise/loops.hpp>
#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal::simd {

/// Neighbouring targets with the same terms, each with all channels.
template <class T>
struct DepthwisePixels {
  T const *source, *weight;
  T* target;
  std::int64_t source_step, target_step;  ///< From one target to the next.
  DepthwiseTerm const* terms;
  std::int64_t count, channels;
};

/// The targets that are computed at once, and the registers of channels of each: with 16 registers,
/// twelve sums and four of weights.
inline constexpr std::int64_t pixels_at_once = 3, channels_at_once = 4;

/// Prefetches the memory of later targets. (Writes of 6 MB, Zen 2: 1.25 times as fast.)
template <int targets, int vectors, class T>
TENON_INLINE inline void prefetch_targets(DepthwisePixels<T> const& pixels, std::int64_t channel) {
  constexpr int of_line = std::max<int>(1, 64 / static_cast<int>(sizeof(Batch<T>)));
  T const* const ahead = pixels.target + (2 * pixels_at_once * pixels.target_step + channel);
#pragma GCC unroll 4
  for (int p = 0; p < targets; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v += of_line)
      __builtin_prefetch(ahead + (p * pixels.target_step + v * width<T>), 1);
}

/// Adds the products of a term to the sums of some targets for some registers of channels, each
/// with `channels`.
template <int targets, int vectors, class T>
TENON_INLINE inline void add_term(T const* weight, T const* source, std::int64_t step, int channels,
                                  TileRegisters<T, targets, vectors>& sum) {
  RowRegisters<T, vectors> shared;
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) shared[v] = load_first(weight + v * width<T>, channels);
  keep<T, vectors>(shared);
#pragma GCC unroll 4
  for (int p = 0; p < targets; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      sum[p][v] = Native::fma(shared[v], load_first(source + (p * step + v * width<T>), channels),
                              sum[p][v]);
}

/// The sums of all terms.
template <int targets, int vectors, class T>
TENON_INLINE inline void sum_block(DepthwisePixels<T> const& pixels, std::int64_t channel,
                                   int channels) {
  TileRegisters<T, targets, vectors> sum;
#pragma GCC unroll 4
  for (int p = 0; p < targets; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sum[p][v] = Batch<T>(T(0));
  prefetch_targets<targets, vectors>(pixels, channel);
  for (std::int64_t i = 0; i < pixels.count; ++i)
    add_term<targets, vectors>(pixels.weight + (pixels.terms[i].weight + channel),
                               pixels.source + (pixels.terms[i].source + channel),
                               pixels.source_step, channels, sum);
#pragma GCC unroll 4
  for (int p = 0; p < targets; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      store_first(sum[p][v], pixels.target + (p * pixels.target_step + channel + v * width<T>),
                  channels);
}

/// The same for all channels: several registers at once, then one; the last overlaps the one
/// before.
template <int targets, class T>
void sum_pixels(DepthwisePixels<T> const& pixels) {
  constexpr std::int64_t many = channels_at_once * width<T>;
  std::int64_t const all = pixels.channels;
  if (all < width<T>) return sum_block<targets, 1>(pixels, 0, static_cast<int>(all));
  std::int64_t c = 0;
  for (; c + many <= all; c += many) sum_block<targets, channels_at_once>(pixels, c, width<T>);
  for (; c < all; c += width<T>)
    sum_block<targets, 1>(pixels, (std::min)(c, all - width<T>), width<T>);
}

/// A run of targets, several at once: the last overlap those before.
template <class T>
void sum_run(DepthwisePixels<T> const& first, std::int64_t run) {
  auto const from = [&](std::int64_t i) {
    DepthwisePixels<T> pixels = first;
    pixels.source += i * first.source_step, pixels.target += i * first.target_step;
    return pixels;
  };
  if (run >= pixels_at_once)
    for (std::int64_t i = 0; i < run; i += pixels_at_once)
      sum_pixels<pixels_at_once>(from((std::min)(i, run - pixels_at_once)));
  else
    for (std::int64_t i = 0; i < run; ++i) sum_pixels<1>(from(i));
}

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// The rows of targets of a convolution with channels last.
template <class T>
struct DepthwiseRows {
  DepthwiseNumbers const& numbers;
  DepthwiseLoops loops;
  bool is_adjoint;

  DepthwiseRows(DepthwiseNumbers const& n, bool adjoint)
      : numbers(n), loops(n, adjoint), is_adjoint(adjoint) {}

  std::int64_t count() const {
    return numbers.batch.count() * loops[0].targets() * loops[1].targets();
  }
  std::int64_t row_work() const {
    return std::max<std::int64_t>(1, loops[2].targets() * numbers.window() * numbers.channels);
  }

  /// A row: offsets of its batch in the sources and the targets, and its places along two axes.
  struct Row {
    std::int64_t source, target;
    std::array<std::int64_t, 2> at;
  };
  Row row(std::int64_t number) const {
    std::int64_t const rows = loops[1].targets(), slices = loops[0].targets();
    LoopLabel const of = numbers.batch.place(number / rows / slices);
    Row row{is_adjoint ? of.c : of.a,
            is_adjoint ? of.a : of.c,
            {number / rows % slices, number % rows}};
    row.target += row.at[0] * loops[0].target_step() + row.at[1] * loops[1].target_step();
    return row;
  }

  /// The terms of target `i` of a phase whose sources are not outside; of a weight whose
  /// last axis is the channels.
  void set_terms(Row const& row, std::int64_t phase, std::int64_t i, DepthwiseTerms& terms) const {
    terms.clear();
    auto const& [a, b, c] = static_cast<std::array<DepthwiseLoop, 3> const&>(loops);
    places(a, row.at[0] % a.phases(), row.at[0] / a.phases(), [&](auto i0, auto k0) {
      places(b, row.at[1] % b.phases(), row.at[1] / b.phases(), [&](auto i1, auto k1) {
        places(c, phase, i, [&](auto i2, auto k2) {
          terms.push_back({row.source + i0 + i1 + i2, (k0 + k1 + k2) * numbers.channels});
        });
      });
    });
  }

  /// The targets [begin, end) of a phase that have all its terms along the last axis.
  std::array<std::int64_t, 2> inside(std::int64_t phase) const {
    DepthwiseLoop const& loop = loops[2];
    std::int64_t begin = 0, end = loop.count(phase);
    for (std::int64_t k = 0; k < loop.axis.window; ++k)
      if (loop.has(phase, k)) {
        std::int64_t const base = loop.base(phase, k), stride = loop.stride();
        begin = (std::max)(begin, -floor_of(base, stride));
        end = (std::min)(end, floor_of(loop.sources() - 1 - base, stride) + 1);
      }
    begin = (std::min)(begin, loop.count(phase));
    return {begin, (std::max)(begin, end)};
  }

 private:
  template <class F>
  static void places(DepthwiseLoop const& loop, std::int64_t phase, std::int64_t i, F const& f) {
    for (std::int64_t k = 0; k < loop.axis.window; ++k) {
      if (!loop.has(phase, k)) continue;
      std::int64_t const source = loop.base(phase, k) + i * loop.stride();
      if (source >= 0 && source < loop.sources())
        f(source * loop.source_step(), k * loop.axis.window_step);
    }
  }
};

/// The weight "channel window" as "window channel", or the other way around.
template <class T>
void transpose_weight(T const* from, std::int64_t rows, std::int64_t columns, T* to) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
}

/// Depthwise convolutions with channels last, or their adjoints with respect to the operand:
/// vectors along the channels, of several places along the last axis at once.
template <class T>
class DepthwiseChannels {
 public:
  DepthwiseChannels(DepthwiseNumbers const& numbers, bool is_adjoint)
      : rows_(numbers, is_adjoint) {}

  void run(T const* source, T const* weight, T* target) const {
    DepthwiseNumbers const& n = rows_.numbers;
    SharedBuffer const own(static_cast<std::size_t>(n.channels * n.window()) * sizeof(T));
    transpose_weight(weight, n.channels, n.window(), own.as<T>());
    std::int64_t const all = rows_.count();
    std::int64_t const group =
        std::max<std::int64_t>(1, (std::int64_t{1} << 18) / rows_.row_work());
    parallel_for((all + group - 1) / group, [&](std::int64_t chunk) {
      DepthwiseTerms terms;
      for (std::int64_t i = chunk * group; i < (std::min)(all, (chunk + 1) * group); ++i)
        sum_row(rows_.row(i), source, own.as<T const>(), target, terms);
    });
  }

 private:
  using Row = typename DepthwiseRows<T>::Row;

  void sum_row(Row const& row, T const* source, T const* weight, T* target,
               DepthwiseTerms& terms) const {
    DepthwiseLoop const& loop = rows_.loops[2];
    for (std::int64_t phase = 0; phase < loop.phases(); ++phase) {
      auto const [begin, end] = rows_.inside(phase);
      for (std::int64_t i = 0; i < loop.count(phase); ++i) {
        rows_.set_terms(row, phase, i, terms);
        std::int64_t const run = i == begin && begin < end ? end - begin : 1;
        simd::sum_run<T>(
            {source, weight, target + row.target + (phase + i * loop.phases()) * loop.target_step(),
             loop.stride() * loop.source_step(), loop.phases() * loop.target_step(), terms.data(),
             static_cast<std::int64_t>(terms.size()), rows_.numbers.channels},
            run);
        i += run - 1;
      }
    }
  }

  DepthwiseRows<T> rows_;
};

}  // namespace tenon::internal
