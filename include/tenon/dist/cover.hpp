#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>

#include <tenon/dist/box.hpp>
#include <tenon/op/philox.hpp>

/// Do boxes cover a tensor, each element once? In time linear in the number of boxes, whichever way
/// they lie: an index may have come from anywhere.
///
/// The planes along which boxes are cut, and those that bound the tensor, are moved at random.
/// Boxes that cover it once make up its volume, whichever way the planes are moved; others do for
/// one move in 10^30, as the difference is a polynomial in the moves, not zero, of at most 64 axes,
/// and has few zeros (J. Schwartz, "Fast probabilistic algorithms for verification of polynomial
/// identities", 1980). Moves are modulo a prime, as is the volume, and four are tried at once.
namespace tenon::checkpoints {

using MovedVolume = std::array<std::uint64_t, 4>;
inline constexpr std::uint64_t moves_modulus = (std::uint64_t{1} << 31) - 1;

/// Where a plane across an axis is moved to, four times.
inline MovedVolume moved(std::size_t axis, std::int64_t place, op::PhiloxKey key) {
  auto const low = static_cast<std::uint32_t>(place);
  auto const high = static_cast<std::uint32_t>(place >> 32);
  auto const to = op::philox<std::uint32_t>({low, high, static_cast<std::uint32_t>(axis), 0}, key);
  return {to.word0 % moves_modulus, to.word1 % moves_modulus, to.word2 % moves_modulus,
          to.word3 % moves_modulus};
}

/// The volumes of a box whose planes are moved; none of it where it is empty.
inline MovedVolume moved_volume(Box const& box, op::PhiloxKey key) {
  MovedVolume volume{1, 1, 1, 1};
  for (std::size_t axis = 0; axis < box.begin.size(); ++axis) {
    auto const begin = moved(axis, box.begin[axis], key), end = moved(axis, box.end(axis), key);
    for (std::size_t i = 0; i < volume.size(); ++i)
      volume[i] = volume[i] * (end[i] + moves_modulus - begin[i]) % moves_modulus;
  }
  return volume;
}

/// Of boxes that lie within a tensor of these sizes: has each of its elements a place in one of
/// them, and in no other? `box_of(one)` is the box of what is in the list.
template <class Boxes, class BoxOf = std::identity>
bool cover(Numbers const& sizes, Boxes const& boxes, BoxOf box_of = {}) {
  std::random_device word;  // nobody can know beforehand which boxes would pass
  op::PhiloxKey const key{word(), word()};
  MovedVolume sum{};
  for (auto const& one : boxes) {
    auto const volume = moved_volume(std::invoke(box_of, one), key);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = (sum[i] + volume[i]) % moves_modulus;
  }
  return sum == moved_volume(whole_box(sizes), key);
}

}  // namespace tenon::checkpoints
