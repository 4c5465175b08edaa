#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <tenon/core/rules/align.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// The shape of an elementwise operation on N operands and their axis maps, or the pair of operands
/// that does not fit and their axes (-1: no single axis, but their alignment).
template <std::size_t N>
struct Broadcast {
  bool fits = true;
  Shape shape{};
  std::array<AxisMap, N> maps{};
  int left = 0;
  int right = 0;
  int left_axis = -1;
  int right_axis = -1;
};

/// The operands by decreasing rank: a larger shape determines the alignment of the smaller ones, in
/// any order of operands.
template <std::size_t N>
constexpr std::array<std::size_t, N> by_rank(std::array<Shape const*, N> const& shapes) {
  std::array<std::size_t, N> order{};
  std::size_t n = 0;
  for (int rank = max_rank; rank >= 0; --rank) {
    for (std::size_t i = 0; i < N; ++i) {
      if (shapes[i]->rank == rank) order[n++] = i;
    }
  }
  return order;
}

/// The composition of two maps.
constexpr AxisMap followed(AxisMap const& first, AxisMap const& second) {
  AxisMap result = no_axes();
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (first[i] >= 0) result[i] = second[static_cast<std::size_t>(first[i])];
  }
  return result;
}

constexpr int position_of(AxisMap const& map, int axis) {
  for (int i = 0; i < max_rank; ++i) {
    if (axis >= 0 && map[static_cast<std::size_t>(i)] == axis) return i;
  }
  return -1;
}

/// The mismatch of operand `right` with one of those before it, in the order written.
template <std::size_t N>
constexpr Broadcast<N> refused(Broadcast<N> const& before, Pairing const& pair,
                               std::array<std::size_t, N> const& order, std::size_t step) {
  Broadcast<N> result = before;
  result.fits = false;
  std::size_t left = order[0];
  for (std::size_t i = 0; i < step; ++i) {
    if (position_of(before.maps[order[i]], pair.large_axis) >= 0) left = order[i];
  }
  result.left = static_cast<int>(left);
  result.right = static_cast<int>(order[step]);
  result.left_axis = position_of(before.maps[left], pair.large_axis);
  result.right_axis = pair.small_axis;
  if (result.left > result.right) {
    std::swap(result.left, result.right);
    std::swap(result.left_axis, result.right_axis);
  }
  return result;
}

template <std::size_t N>
constexpr Broadcast<N> broadcast_all(std::array<Shape const*, N> const& shapes) {
  std::array<std::size_t, N> const order = by_rank(shapes);
  Broadcast<N> result{};
  result.shape = *shapes[order[0]];
  for (auto& map : result.maps) map = no_axes();
  for (int i = 0; i < result.shape.rank; ++i) {
    result.maps[order[0]][static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i);
  }
  for (std::size_t step = 1; step < N; ++step) {
    Pairing const pair = paired(result.shape, *shapes[order[step]]);
    if (!pair.fits) return refused(result, pair, order, step);
    result.shape = pair.shape;
    for (std::size_t i = 0; i < step; ++i) {
      result.maps[order[i]] = followed(result.maps[order[i]], pair.large);
    }
    result.maps[order[step]] = pair.small;
  }
  return result;
}

/// Aligns the shapes of an elementwise operation: by name where every axis of the smaller is named
/// and found in order in the larger, else by position from the right.
template <class... S>
  requires(sizeof...(S) > 0)
constexpr Broadcast<sizeof...(S)> broadcast_shapes(S const&... shapes) {
  return broadcast_all(std::array<Shape const*, sizeof...(S)>{&shapes...});
}

}  // namespace tenon::internal
