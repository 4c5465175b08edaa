#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/backend/cpu/depthwise/boxes.hpp>
#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/threads.hpp>

namespace tenon::internal::simd {

/// Rows of the adjoint of a result, and the sources of their windows in a box.
template <class T>
struct DepthwiseDots {
  T const *box, *adjoint;
  std::int64_t rows, columns;
  std::int64_t box_row, adjoint_row;  ///< From one row to the next.
};

/// Adds the products of the rows from column `first` to `last`, `columns` at once, with the sources
/// of some terms. (The other lanes of the sums are unspecified.)
template <int group, class T>
TENON_INLINE inline void add_columns(DepthwiseDots<T> const& dots, std::int64_t first,
                                     std::int64_t last, int columns,
                                     T const* const (&from)[std::size_t{group}],
                                     RowRegisters<T, group>& sum) {
  for (std::int64_t r = 0; r < dots.rows; ++r)
    for (std::int64_t j = first; j < last; j += width<T>) {
      Batch<T> const of = load_first(dots.adjoint + (r * dots.adjoint_row + j), columns);
#pragma GCC unroll 9
      for (int t = 0; t < group; ++t)
        sum[t] =
            Native::fma(of, Batch<T>::load_unaligned(from[t] + (r * dots.box_row + j)), sum[t]);
    }
}

/// Adds the products of the rows with the sources of some terms to a register of sums in memory for
/// each term. Of fewer than `group` terms the last is computed again.
template <int group, class T>
void add_dots(DepthwiseDots<T> const& dots, DepthwiseTerm const* terms, std::int64_t count,
              T* sums) {
  std::int64_t const full = dots.columns / width<T> * width<T>, left = dots.columns - full;
  T const* from[std::size_t{group}];
  RowRegisters<T, group> sum, rest;
#pragma GCC unroll 9
  for (int t = 0; t < group; ++t) {
    from[t] = dots.box + terms[std::min<std::int64_t>(t, count - 1)].source;
    sum[t] = Batch<T>(T(0)), rest[t] = Batch<T>(T(0));
  }
  add_columns<group>(dots, 0, full, width<T>, from, sum);
  if (left > 0) add_columns<group>(dots, full, dots.columns, static_cast<int>(left), from, rest);
  for (int t = 0; t < static_cast<int>(count); ++t, sums += width<T>) {
    (Batch<T>::load_unaligned(sums) + sum[t]).store_unaligned(sums);
    T lanes[width<T>];
    rest[t].store_unaligned(lanes);
    for (std::int64_t lane = 0; lane < left; ++lane) sums[lane] += lanes[lane];
  }
}

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// The adjoint of the weight where the last axis is one of the windows: dot products along it, of
/// each plane, which are added in the order of the planes.
template <class T>
class DepthwisePlanesWeight {
 public:
  explicit DepthwisePlanesWeight(DepthwiseNumbers const& numbers) : boxes_(numbers, false) {
    boxes_.add_terms({0, 0, 0}, terms_);
  }

  void run(T const* x, T const* dy, T* dweight) const {
    DepthwiseNumbers const& n = boxes_.numbers;
    std::int64_t const planes = boxes_.planes.count(), each = n.multiplier * n.window();
    std::int64_t const work = std::max<std::int64_t>(1, boxes_.size() * boxes_.boxes * each);
    std::int64_t const group = std::max<std::int64_t>(1, (std::int64_t{1} << 18) / work);
    std::int64_t const elements = boxes_.size() + each * simd::width<T>;
    SharedBuffer const of_planes(static_cast<std::size_t>(planes * each) * sizeof(T));
    parallel_for((planes + group - 1) / group, static_cast<std::size_t>(elements) * sizeof(T),
                 [&](std::int64_t chunk, std::byte* scratch) {
                   T* const sums = reinterpret_cast<T*>(scratch);
                   for (std::int64_t i = chunk * group; i < (std::min)(planes, (chunk + 1) * group);
                        ++i)
                     run_plane(boxes_.planes.place(i), x, dy, of_planes.as<T>() + i * each, sums);
                 });
    std::fill_n(dweight, n.channels * each, T(0));
    for (std::int64_t i = 0; i < planes; ++i) {
      T* const to = dweight + boxes_.planes.place(i).b * each;
      for (std::int64_t t = 0; t < each; ++t) to[t] += of_planes.as<T>()[i * each + t];
    }
  }

 private:
  void run_plane(LoopLabel const& plane, T const* x, T const* dy, T* to, T* sums) const {
    DepthwiseNumbers const& n = boxes_.numbers;
    std::int64_t const window = n.window();
    T* const box = sums + n.multiplier * window * simd::width<T>;
    std::fill(sums, box + boxes_.size(), T(0));
    for (std::int64_t first = 0; first < boxes_.boxes * boxes_.targets; first += boxes_.targets) {
      boxes_.fill(x + plane.a, first, box);
      for (std::int64_t j = 0; j < n.multiplier; ++j)
        add_box(dy + plane.c + j * n.out_channel, first, box, sums + j * window * simd::width<T>);
    }
    for (std::int64_t i = 0; i < n.multiplier * window; ++i) {
      T total(0);
      for (int lane = 0; lane < simd::width<T>; ++lane) total += sums[i * simd::width<T> + lane];
      to[i / window * window + terms_[static_cast<std::size_t>(i % window)].weight] = total;
    }
  }

  /// Adds the products of the targets of a box.
  void add_box(T const* dy, std::int64_t first, T const* box, T* sums) const {
    auto const& [a, b, c] = static_cast<std::array<DepthwiseLoop, 3> const&>(boxes_.loops);
    std::int64_t const begin = boxes_.outer == 0 ? first : 0,
                       begin_b = boxes_.outer == 1 ? first : 0;
    std::int64_t const last = (std::min)(boxes_.outer_loop().count(0), first + boxes_.targets);
    std::int64_t const end = boxes_.outer == 0 ? last : a.count(0);
    std::int64_t const rows = (boxes_.outer == 1 ? last : b.count(0)) - begin_b;
    for (std::int64_t i = begin; i < end; ++i)
      add_rows({box + (i - begin) * a.stride() * boxes_.extent[1] * boxes_.row(),
                dy + i * a.target_step() + begin_b * b.target_step(), rows, c.count(0),
                b.stride() * boxes_.row(), b.target_step()},
               sums);
  }
  void add_rows(simd::DepthwiseDots<T> const& dots, T* sums) const {
    auto const all = static_cast<std::int64_t>(terms_.size());
    for (std::int64_t t = 0, group; t < all; t += group) {
      DepthwiseTerm const* const terms = terms_.data() + t;
      group = all - t <= 4 ? 4 : 9;
      std::int64_t const count = (std::min)(group, all - t);
      if (group == 4) simd::add_dots<4>(dots, terms, count, sums + t * simd::width<T>);
      else simd::add_dots<9>(dots, terms, count, sums + t * simd::width<T>);
    }
  }

  DepthwiseBoxes<T> boxes_;
  DepthwiseTerms terms_;
};

}  // namespace tenon::internal
