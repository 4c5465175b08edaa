#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/core/rules/pooling.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal {

/// An axis of a pooled tensor: place i of the result has the elements `i * stride - padding + k *
/// dilation` of the operand, for k below `window`. On an axis that is not pooled that is one.
struct PooledAxis {
  std::int64_t size = 1, places = 1;  ///< Of the operand, of the result.
  std::int64_t window = 1, stride = 1, padding = 0, dilation = 1;
  std::int64_t step = 1;    ///< Between neighbours in the memory of the operand.
  std::int64_t weight = 0;  ///< Of an index in the position within all pooled axes.

  constexpr bool is_pooled() const { return weight != 0; }
  constexpr std::int64_t start(std::int64_t place) const { return place * stride - padding; }
  constexpr bool is_inside(std::int64_t place) const {
    return start(place) >= 0 && start(place) + (window - 1) * dilation < size;
  }
  /// The elements of a window that are not padding: from number `first` to before number `last`.
  constexpr std::int64_t first(std::int64_t place) const {
    return start(place) >= 0 ? 0 : (dilation - 1 - start(place)) / dilation;
  }
  constexpr std::int64_t last(std::int64_t place) const {
    std::int64_t const left = size - start(place);
    return left <= 0 ? 0 : (std::min)(window, (left + dilation - 1) / dilation);
  }
  /// The places at which element number k of the window is not padding: `begin` to before `end`.
  constexpr std::int64_t begin(std::int64_t k) const {
    std::int64_t const before = padding - k * dilation;
    return before <= 0 ? 0 : (std::min)(places, (before + stride - 1) / stride);
  }
  constexpr std::int64_t end(std::int64_t k) const {
    std::int64_t const room = size - 1 + padding - k * dilation;
    return room < 0 ? 0 : (std::min)(places, room / stride + 1);
  }
};

/// The axes of a pooled tensor, the outermost first. Adjacent axes that are not pooled are one.
struct PoolingLayout {
  std::array<PooledAxis, std::size_t{max_rank}> axis{};
  int outer = 0;               ///< The number of axes before the last pooled one.
  std::int64_t width = 1;      ///< The number of elements behind it: those of one place.
  std::int64_t rows = 1;       ///< The rows of the result: places along the last pooled axis.
  std::int64_t most_taps = 1;  ///< Of rows of the operand that a row of the result reads.
  std::int64_t parts = 1;      ///< Equal parts of the operand that have no window in common.

  PoolingLayout(Pooling const& pooling, Sizes const& x, int axes);

  PooledAxis const& last() const { return axis[static_cast<std::size_t>(outer)]; }
  std::int64_t row_size() const { return last().places * width; }
  /// The number of elements of a window, padding included.
  std::int64_t window_size() const { return most_taps * last().window; }
  std::int64_t part_size() const { return axis[0].step * (axis[0].is_pooled() ? axis[0].size : 1); }
  /// The distance, from the first element of all pooled axes, of the one at a position.
  std::int64_t offset(std::int64_t position) const {
    return unit_ > 0 ? unit_ * position : scattered_offset(position);
  }

 private:
  std::int64_t unit_ = 0;  ///< Of positions where no other axis is between the pooled ones, else 0.

  void set_steps(int rank);
  std::int64_t scattered_offset(std::int64_t position) const;
};

/// The sizes of the result of pooling.
inline Sizes pooled_sizes(Pooling const& pooling, Sizes const& x, int rank) {
  Sizes result = x;
  for (int i = 0; i < rank; ++i)
    if (pooling.axes[i]) at(result, i) = pooling[i].places(at(x, i));
  return result;
}

/// A row of the operand that a row of the result reads: its distance, and that of its position,
/// from the beginning of the windows.
struct PoolingTap {
  std::int64_t offset = 0, position = 0;
};

/// The rows of a result along the last pooled axis, one after the other.
class PoolingRows {
 public:
  /// `memory` has `layout.most_taps` taps.
  PoolingRows(PoolingLayout const& layout, std::int64_t row, PoolingTap* memory);

  std::int64_t base = 0;      ///< The offset in the operand along the axes that are not pooled.
  std::int64_t start = 0;     ///< That of the beginning of the windows, padding included.
  std::int64_t position = 0;  ///< The position there.
  PoolingTap* taps;           ///< The rows that are not padding.
  std::int64_t count = 0;

  void next();

 private:
  PoolingLayout const* layout_;
  ElementIndex index_{};
  bool has_all_taps_ = false;

  void read();
  void read_taps();
  void add_taps(PooledAxis const& axis, std::int64_t first, std::int64_t last);
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME PoolingLayout::PoolingLayout(Pooling const& pooling, Sizes const& x, int axes) {
  std::size_t rank = 0;
  for (int i = 0; i < axes; ++i) {
    std::int64_t const size = at(x, i);
    if (pooling.axes[i]) {
      Sliding const& sliding = pooling[i].sliding;
      axis[rank++] = {size,
                      pooling[i].places(size),
                      pooling[i].size,
                      sliding.stride,
                      sliding.padding,
                      sliding.dilation,
                      1,
                      1};
    } else if (rank > 0 && !axis[rank - 1].is_pooled()) {
      axis[rank - 1].places = axis[rank - 1].size *= size;
    } else {
      axis[rank++] = {size, size};
    }
  }
  set_steps(static_cast<int>(rank));
}

TENON_RUNTIME void PoolingLayout::set_steps(int rank) {
  std::int64_t step = 1, weight = 1;
  int runs = 0;
  bool is_pooled = false;
  for (int i = rank - 1; i >= 0; --i) {
    PooledAxis& one = axis[static_cast<std::size_t>(i)];
    one.step = step;
    step *= one.size;
    if (one.is_pooled()) {
      if (runs == 0) outer = i, width = one.step;
      if (!is_pooled) unit_ = one.step, ++runs;
      one.weight = weight;
      weight *= std::max<std::int64_t>(one.size, 1);
    }
    is_pooled = one.is_pooled();
    if (runs > 0 && i < outer) rows *= one.places, most_taps *= one.window;
  }
  if (runs > 1) unit_ = 0;
  if (!axis[0].is_pooled()) parts = axis[0].size;
}

TENON_RUNTIME std::int64_t PoolingLayout::scattered_offset(std::int64_t position) const {
  std::int64_t offset = 0;
  for (int i = 0; i <= outer; ++i) {
    PooledAxis const& one = axis[static_cast<std::size_t>(i)];
    if (!one.is_pooled()) continue;
    offset += position / one.weight * one.step;
    position %= one.weight;
  }
  return offset;
}

TENON_RUNTIME PoolingRows::PoolingRows(PoolingLayout const& layout, std::int64_t row,
                                       PoolingTap* memory)
    : taps(memory), layout_(&layout) {
  for (int i = layout.outer - 1; i >= 0; --i) {
    std::int64_t const places = layout.axis[static_cast<std::size_t>(i)].places;
    at(index_, i) = row % places;
    row /= places;
  }
  read();
}

TENON_RUNTIME void PoolingRows::next() {
  for (int i = layout_->outer - 1; i >= 0; --i) {
    if (++at(index_, i) < layout_->axis[static_cast<std::size_t>(i)].places) break;
    at(index_, i) = 0;
  }
  read();
}

/// Windows without padding have equal taps.
TENON_RUNTIME void PoolingRows::read() {
  bool is_inside = true;
  base = 0, start = 0, position = 0;
  for (int i = 0; i < layout_->outer; ++i) {
    PooledAxis const& axis = layout_->axis[static_cast<std::size_t>(i)];
    std::int64_t const place = at(index_, i), first = axis.start(place);
    start += first * axis.step;
    position += first * axis.weight;
    if (!axis.is_pooled()) base += first * axis.step;
    is_inside = is_inside && axis.is_inside(place);
  }
  if (!is_inside || !has_all_taps_) read_taps();
  has_all_taps_ = is_inside;
}

TENON_RUNTIME void PoolingRows::read_taps() {
  count = 1, taps[0] = {};
  for (int i = 0; i < layout_->outer; ++i) {
    PooledAxis const& axis = layout_->axis[static_cast<std::size_t>(i)];
    std::int64_t const place = at(index_, i), first = axis.first(place);
    if (axis.is_pooled()) add_taps(axis, first, (std::max)(first, axis.last(place)));
  }
}

/// Every tap so far at elements of a window: from the last tap to the first, as they move up.
TENON_RUNTIME void PoolingRows::add_taps(PooledAxis const& axis, std::int64_t first,
                                         std::int64_t last) {
  std::int64_t const number = last - first;
  for (std::int64_t tap = count - 1; tap >= 0; --tap) {
    PoolingTap const from = taps[tap];
    for (std::int64_t k = number - 1; k >= 0; --k) {
      std::int64_t const element = (first + k) * axis.dilation;
      taps[tap * number + k] = {from.offset + element * axis.step,
                                from.position + element * axis.weight};
    }
  }
  count *= number;
}

}  // namespace tenon::internal

#endif
