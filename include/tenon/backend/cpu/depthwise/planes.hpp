#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tenon/backend/cpu/depthwise/boxes.hpp>
#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/threads.hpp>

namespace tenon::internal::simd {

/// Rows of targets, and the terms of the first in a box.
template <class T>
struct DepthwiseTargets {
  T const* box;
  T* target;
  std::int64_t box_row, target_row;  ///< From one row to the next.
  std::int64_t rows, columns;
  DepthwiseTerm const* terms;
  T* weights;
  std::int64_t count;
};

/// The registers of targets that are computed at once, at most: half of the machine's.
inline constexpr std::int64_t targets_at_once = 8;

/// Stores the registers of a row, the last with `columns` targets.
template <int vectors, class T>
TENON_INLINE inline void store_row(RowRegisters<T, vectors> const& sum, T* to, int columns) {
#pragma GCC unroll 8
  for (int v = 0; v + 1 < vectors; ++v) sum[v].store_unaligned(to + v * width<T>);
  store_first(sum[vectors - 1], to + (vectors - 1) * width<T>, columns);
}

/// Adds the products of all terms to the sums of some rows.
template <int height, int vectors, class T>
TENON_INLINE inline void add_row_terms(DepthwiseTargets<T> const& all,
                                       std::int64_t const (&row)[std::size_t{height}],
                                       TileRegisters<T, height, vectors>& sum) {
  for (std::int64_t t = 0; t < all.count; ++t) {
    Batch<T> const weight(all.weights[t]);
    T const* const from = all.box + all.terms[t].source;
#pragma GCC unroll 8
    for (int r = 0; r < height; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v)
        sum[r][v] = Native::fma(
            weight, Batch<T>::load_unaligned(from + (row[r] * all.box_row + v * width<T>)),
            sum[r][v]);
  }
}

/// `vectors` registers of each row, the last with `columns` targets, of several rows at once: of
/// fewer the last is computed again. Each target is a chain in the order of the terms.
template <int vectors, class T>
void sum_rows(DepthwiseTargets<T> const& all, int columns) {
  constexpr int height = static_cast<int>(targets_at_once) / vectors;
  for (std::int64_t i = 0; i < all.rows; i += height) {
    std::int64_t row[std::size_t{height}];
    TileRegisters<T, height, vectors> sum;
#pragma GCC unroll 8
    for (int r = 0; r < height; ++r) {
      row[r] = (std::min)(i + r, all.rows - 1);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = Batch<T>(T(0));
    }
    add_row_terms<height, vectors>(all, row, sum);
#pragma GCC unroll 8
    for (int r = 0; r < height; ++r)
      store_row<vectors>(sum[r], all.target + row[r] * all.target_row, columns);
  }
}

/// All rows: a part of their columns after the other.
template <class T>
void sum_targets(DepthwiseTargets<T> all) {
  constexpr auto sums = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{&sum_rows<static_cast<int>(i) + 1, T>...};
  }(std::make_index_sequence<std::size_t{targets_at_once}>());
  std::int64_t const vectors = (all.columns + width<T> - 1) / width<T>;
  std::int64_t const parts = (vectors + targets_at_once - 1) / targets_at_once;
  for (std::int64_t part = 0, next = 0; part < parts; ++part) {
    std::int64_t const first = next;
    next = (part + 1) * vectors / parts;
    auto const last = (std::min)(all.columns - (next - 1) * width<T>, std::int64_t{width<T>});
    sums[static_cast<std::size_t>(next - first - 1)](all, static_cast<int>(last));
    all.box += (next - first) * width<T>, all.target += (next - first) * width<T>;
  }
}

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// Depthwise convolutions whose last axis is one of the windows, or their adjoints with respect to
/// the operand: vectors along the last axis.
template <class T>
class DepthwisePlanes {
  using Phase = std::array<std::int64_t, 3>;

 public:
  DepthwisePlanes(DepthwiseNumbers const& numbers, bool is_adjoint)
      : boxes_(numbers, is_adjoint), phases_(boxes_.loops[2].phases()) {
    for (std::int64_t i = 0; i < boxes_.loops[0].phases(); ++i)
      for (std::int64_t j = 0; j < boxes_.loops[1].phases(); ++j)
        for (std::int64_t k = 0; k < phases_; ++k) {
          begin_.push_back(static_cast<std::int64_t>(terms_.size()));
          boxes_.add_terms({i, j, k}, terms_);
        }
    begin_.push_back(static_cast<std::int64_t>(terms_.size()));
  }

  void run(T const* source, T const* weight, T* target) const {
    std::int64_t const all = boxes_.planes.count() * boxes_.boxes;
    std::int64_t const work = std::max<std::int64_t>(1, boxes_.size() * boxes_.numbers.window());
    std::int64_t const group = std::max<std::int64_t>(1, (std::int64_t{1} << 18) / work);
    std::int64_t const elements = boxes_.size() + weights() + (phases_ > 1 ? rows() * room() : 0);
    parallel_for((all + group - 1) / group, static_cast<std::size_t>(elements) * sizeof(T),
                 [&](std::int64_t chunk, std::byte* scratch) {
                   T* const box = reinterpret_cast<T*>(scratch);
                   std::fill_n(box, boxes_.size(), T(0));
                   for (std::int64_t i = chunk * group; i < (std::min)(all, (chunk + 1) * group);
                        ++i)
                     run_box(i, source, weight, target, box);
                 });
  }

 private:
  std::int64_t weights() const { return static_cast<std::int64_t>(terms_.size()); }
  /// The rows that are computed at once, and the elements of a phase of each.
  std::int64_t rows() const {
    return boxes_.outer == 1 ? boxes_.targets : boxes_.loops[1].count(0);
  }
  std::int64_t room() const { return boxes_.loops[2].count(0); }

  void run_box(std::int64_t number, T const* source, T const* weight, T* target, T* box) const {
    LoopLabel const plane = boxes_.planes.place(number / boxes_.boxes);
    std::int64_t const first = number % boxes_.boxes * boxes_.targets;
    DepthwiseNumbers const& n = boxes_.numbers;
    for (std::int64_t j = 0; j < boxes_.images; ++j)
      boxes_.fill(source + plane.a + j * n.out_channel, first, box + j * boxes_.image());
    std::int64_t const results = n.multiplier / boxes_.images;
    T const* const own = weight + plane.b * n.multiplier * n.window();
    for (std::int64_t j = 0; j < results; ++j) {
      T* const to = box + boxes_.size();
      for (std::size_t i = 0; i < terms_.size(); ++i)
        to[i] = own[j * n.window() + terms_[i].weight];
      sum_plane(target + plane.c + j * n.out_channel, first, box);
    }
  }

  /// The targets of a box along an axis, in a phase.
  std::array<std::int64_t, 2> range(int axis, std::int64_t phase, std::int64_t first) const {
    std::int64_t const all = boxes_.loops[static_cast<std::size_t>(axis)].count(phase);
    if (axis != boxes_.outer) return {0, all};
    return {first, std::clamp(first + boxes_.targets, first, (std::max)(all, first))};
  }

  /// The targets of a box.
  void sum_plane(T* target, std::int64_t first, T* box) const {
    auto const& [a, b, c] = static_cast<std::array<DepthwiseLoop, 3> const&>(boxes_.loops);
    for (std::int64_t p = 0; p < a.phases() * b.phases(); ++p) {
      std::int64_t const at = p / b.phases(), at_b = p % b.phases();
      auto const [begin, end] = range(0, at, first);
      auto const [begin_b, end_b] = range(1, at_b, first);
      for (std::int64_t i = begin; i < end && begin_b < end_b; ++i)
        sum_rows({box + (i - begin) * a.stride() * boxes_.extent[1] * boxes_.row(),
                  target + (at + i * a.phases()) * a.target_step() +
                      (at_b + begin_b * b.phases()) * b.target_step(),
                  b.stride() * boxes_.row(), b.phases() * b.target_step(), end_b - begin_b, 0,
                  terms_.data(), box + boxes_.size(), 0},
                 p * phases_);
    }
  }

  /// Rows of targets; of several phases by way of a buffer behind the weights.
  void sum_rows(simd::DepthwiseTargets<T> const& all, std::int64_t phase) const {
    T* const buffer = all.weights + weights();
    for (std::int64_t k = 0; k < phases_; ++k) {
      auto const begin = begin_[static_cast<std::size_t>(phase + k)];
      simd::DepthwiseTargets<T> own = all;
      own.terms += begin, own.weights += begin;
      own.count = begin_[static_cast<std::size_t>(phase + k + 1)] - begin;
      own.columns = boxes_.loops[2].count(k);
      if (phases_ > 1) own.target = buffer, own.target_row = room();
      if (own.columns > 0) simd::sum_targets(own);
      if (phases_ > 1) scatter(own, all.target + k, all.target_row);
    }
  }
  /// Copies the targets of a phase of rows.
  void scatter(simd::DepthwiseTargets<T> const& all, T* to, std::int64_t row) const {
    std::int64_t const step = phases_;
    for (std::int64_t i = 0; i < all.rows; ++i, to += row) {
      T const* const from = all.target + i * all.target_row;
      for (std::int64_t j = 0; j < all.columns; ++j) to[j * step] = from[j];
    }
  }

  DepthwiseBoxes<T> boxes_;
  std::int64_t phases_;  ///< Of a row.
  DepthwiseTerms terms_;
  std::vector<std::int64_t> begin_;  ///< Those of each phase.
};

}  // namespace tenon::internal
