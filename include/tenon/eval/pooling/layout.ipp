#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/pooling/layout.hpp>

namespace tenon::internal {

TENON_RUNTIME PoolingLayout::PoolingLayout(Pooling const& pooling, Sizes const& x, int axes) {
  Sliding const& sliding = pooling.sliding;
  std::size_t rank = 0;
  for (int i = 0; i < axes; ++i) {
    std::int64_t const size = at(x, i);
    if (pooling.axes[i]) {
      axis[rank++] = {size,
                      sliding.places(size, pooling.window),
                      pooling.window,
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
