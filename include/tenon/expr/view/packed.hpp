#pragma once

#include <cstdint>

#include <tenon/core/rules/broadcast.hpp>

namespace tenon::internal {

// Sets and orders of axes as template arguments are packed into integers: g++ 12 treats two arrays
// of class type as equal when they differ only in the position of their zeros.

/// A set of axes, one bit each.
using AxisBits = unsigned;

constexpr bool has_axis(AxisBits set, int axis) { return ((set >> axis) & 1u) != 0; }

constexpr int count_axes(AxisBits set) {
  int number = 0;
  for (int i = 0; i < max_rank; ++i) number += has_axis(set, i) ? 1 : 0;
  return number;
}

/// An `AxisMap`, one byte per axis: the axis plus one.
using PackedMap = std::uint64_t;

constexpr PackedMap packed(AxisMap const& map) {
  PackedMap result = 0;
  for (std::size_t i = 0; i < map.size(); ++i)
    result |= static_cast<PackedMap>(map[i] + 1) << (8 * i);
  return result;
}

constexpr AxisMap unpacked(PackedMap map) {
  AxisMap result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::int8_t>(static_cast<int>((map >> (8 * i)) & 255u) - 1);
  return result;
}

}  // namespace tenon::internal
