#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/pooling/layout.hpp>

namespace tenon::internal {

TENON_RUNTIME PoolingLayout::PoolingLayout(Pooling const& pooling, Sizes const& x, int axes) {
  Sliding const& sliding = pooling.sliding;
  for (int i = 0; i < axes; ++i) {
    std::int64_t const size = tenon::internal::at(x, i);
    if (pooling.axes[i])
      at(rank++) = {size, sliding.places(size, pooling.window), pooling.window, sliding.stride,
                    sliding.padding, sliding.dilation, 1, 1};
    else if (rank > 0 && !inner().is_pooled())
      at(rank - 1).size *= size, at(rank - 1).places *= size;
    else at(rank++) = {size, size};
  }
  set_steps();
}

TENON_RUNTIME void PoolingLayout::set_steps() {
  std::int64_t step = 1, weight = 1;
  int runs = 0;
  for (int i = rank - 1; i >= 0; --i) {
    at(i).step = step;
    step *= at(i).size;
    if (!at(i).is_pooled()) continue;
    if (i + 1 == rank || !at(i + 1).is_pooled()) unit = at(i).step, ++runs;
    at(i).weight = weight;
    weight *= std::max<std::int64_t>(at(i).size, 1);
  }
  if (runs > 1) unit = 0;
}

TENON_RUNTIME std::int64_t PoolingLayout::rows() const {
  std::int64_t number = 1;
  for (int i = 0; i + 1 < rank; ++i) number *= (*this)[i].places;
  return number;
}

TENON_RUNTIME std::int64_t PoolingLayout::most_taps() const {
  std::int64_t number = 1;
  for (int i = 0; i + 1 < rank; ++i) number *= (*this)[i].window;
  return number;
}

TENON_RUNTIME std::int64_t PoolingLayout::scattered_offset(std::int64_t position) const {
  std::int64_t offset = 0;
  for (int i = 0; i < rank; ++i) {
    if (!(*this)[i].is_pooled()) continue;
    offset += position / (*this)[i].weight * (*this)[i].step;
    position %= (*this)[i].weight;
  }
  return offset;
}

TENON_RUNTIME PoolingRows::PoolingRows(PoolingLayout const& layout, std::int64_t row,
                                       PoolingTap* memory)
    : taps(memory), layout_(layout) {
  for (int i = layout.rank - 2; i >= 0; --i) {
    at(index_, i) = row % layout[i].places;
    row /= layout[i].places;
  }
  read();
}

TENON_RUNTIME void PoolingRows::next() {
  for (int i = layout_.rank - 2; i >= 0; --i) {
    if (++at(index_, i) < layout_[i].places) break;
    at(index_, i) = 0;
  }
  read();
}

TENON_RUNTIME void PoolingRows::read() {
  base = 0, count = 1, taps[0] = {};
  for (int i = 0; i + 1 < layout_.rank; ++i) {
    if (layout_[i].is_pooled()) add_taps(layout_[i], at(index_, i));
    else base += at(index_, i) * layout_[i].step;
  }
}

/// Every tap so far at all elements of a window: from the last tap to the first, as they move up.
TENON_RUNTIME void PoolingRows::add_taps(PooledAxis const& axis, std::int64_t place) {
  std::int64_t const first = axis.first(place), number = std::max<std::int64_t>(0, axis.last(place) - first);
  for (std::int64_t tap = count - 1; tap >= 0; --tap) {
    PoolingTap const from = taps[tap];
    for (std::int64_t k = number - 1; k >= 0; --k) {
      std::int64_t const element = axis.start(place) + (first + k) * axis.dilation;
      taps[tap * number + k] = {from.offset + element * axis.step,
                                from.position + element * axis.weight};
    }
  }
  count *= number;
}

}  // namespace tenon::internal
