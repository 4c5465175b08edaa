#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tenon/backend/cpu/depthwise/channels.hpp>

namespace tenon::internal::simd {

/// Neighbouring targets with the same terms: their adjoints and sources, each of all channels.
template <class T>
struct DepthwiseProducts {
  T const *source, *adjoint;
  std::int64_t source_step, adjoint_step;  ///< From one target to the next.
  std::int64_t targets, channels;
  DepthwiseTerm const* terms;
  std::int64_t count;
};

/// Adds the products of targets to the sums of some terms, for one register of channels, or some of
/// them. Of fewer terms than `group` the last is computed again.
template <int group, class T>
TENON_INLINE inline void add_channels(DepthwiseProducts<T> const& all, T* sums,
                                      std::int64_t channel, int channels) {
  RowRegisters<T, group> sum;
  T const* from[std::size_t{group}];
  T* to[std::size_t{group}];
#pragma GCC unroll 9
  for (int t = 0; t < group; ++t) {
    DepthwiseTerm const& term = all.terms[std::min<std::int64_t>(t, all.count - 1)];
    from[t] = all.source + (term.source + channel);
    to[t] = sums + (term.weight + channel);
    sum[t] = load_first(to[t], channels);
  }
  for (std::int64_t p = 0; p < all.targets; ++p) {
    Batch<T> const of = load_first(all.adjoint + (p * all.adjoint_step + channel), channels);
#pragma GCC unroll 9
    for (int t = 0; t < group; ++t)
      sum[t] = Native::fma(of, load_first(from[t] + p * all.source_step, channels), sum[t]);
  }
#pragma GCC unroll 9
  for (int t = 0; t < group; ++t) store_first(sum[t], to[t], channels);
}

/// The same for all channels.
template <int group, class T>
void add_products(DepthwiseProducts<T> const& all, T* sums) {
  std::int64_t c = 0;
  for (; c + width<T> <= all.channels; c += width<T>) add_channels<group>(all, sums, c, width<T>);
  if (c < all.channels) add_channels<group>(all, sums, c, static_cast<int>(all.channels - c));
}

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// The adjoint of the weight with channels last: vectors along the channels. Parts of the rows, in
/// a number that depends on the sizes, have their own sums, which are added in order.
template <class T>
class DepthwiseChannelsWeight {
 public:
  explicit DepthwiseChannelsWeight(DepthwiseNumbers const& numbers) : rows_(numbers, false) {}

  void run(T const* x, T const* dy, T* dweight) const {
    constexpr std::int64_t most_parts = 32;
    DepthwiseNumbers const& n = rows_.numbers;
    std::int64_t const all = rows_.count(), each = n.channels * n.window();
    std::int64_t const group = (std::max)((all + most_parts - 1) / most_parts,
                                          (std::int64_t{1} << 18) / rows_.row_work() + 1);
    std::int64_t const parts = (all + group - 1) / group;
    SharedBuffer const own(static_cast<std::size_t>((parts + 1) * each) * sizeof(T));
    T* const sums = own.as<T>();
    std::fill_n(sums, (parts + 1) * each, T(0));
    parallel_for(parts, [&](std::int64_t part) {
      DepthwiseTerms terms;
      for (std::int64_t i = part * group; i < (std::min)(all, (part + 1) * group); ++i)
        add_row(rows_.row(i), x, dy, sums + (part + 1) * each, terms);
    });
    for (std::int64_t part = 1; part <= parts; ++part)
      for (std::int64_t i = 0; i < each; ++i) sums[i] += sums[part * each + i];
    transpose_weight(sums, n.window(), n.channels, dweight);
  }

 private:
  using Row = typename DepthwiseRows<T>::Row;

  void add_row(Row const& row, T const* x, T const* dy, T* sums, DepthwiseTerms& terms) const {
    constexpr std::int64_t together = 16;
    DepthwiseLoop const& loop = rows_.loops[2];
    auto const [begin, end] = rows_.inside(0);
    for (std::int64_t i = 0, run; i < loop.targets(); i += run) {
      rows_.set_terms(row, 0, i, terms);
      run = i >= begin && i < end ? (std::min)(together, end - i) : 1;
      add_terms({x, dy + row.target + i * loop.target_step(), loop.stride() * loop.source_step(),
                 loop.target_step(), run, rows_.numbers.channels, terms.data(),
                 static_cast<std::int64_t>(terms.size())},
                sums);
    }
  }
  static void add_terms(simd::DepthwiseProducts<T> all, T* sums) {
    for (std::int64_t left = all.count; left > 0; left -= all.count) {
      std::int64_t const group = left <= 4 ? 4 : 9;
      all.count = (std::min)(group, left);
      if (group == 4) simd::add_products<4>(all, sums);
      else simd::add_products<9>(all, sums);
      all.terms += all.count;
    }
  }

  DepthwiseRows<T> rows_;
};

}  // namespace tenon::internal
