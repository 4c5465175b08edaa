#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/checkpoint/box.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/op/philox.hpp>

/// Whether boxes cover a tensor, each element exactly once, in time linear in the number of boxes,
/// for any arrangement: an index is untrusted input.
///
/// The planes that bound boxes are mapped to random coordinates. The volumes of boxes that cover
/// the tensor exactly once sum to its volume for any coordinates; for other boxes this holds with
/// probability below 10^-30, since the difference is a nonzero polynomial of degree at most 64 in
/// the coordinates, with few zeros (J. Schwartz, "Fast probabilistic algorithms for verification of
/// polynomial identities", 1980). Arithmetic is modulo a prime, with four independent samples.
namespace tenon::internal::checkpoints {

using TransferVolume = std::array<std::uint64_t, 4>;
inline constexpr std::uint64_t moves_modulus = (std::uint64_t{1} << 31) - 1;

/// The random coordinates of a plane across an axis, four samples.
inline TransferVolume moved(std::size_t axis, std::int64_t place, op::PhiloxKey key) {
  auto const low = static_cast<std::uint32_t>(place);
  auto const high = static_cast<std::uint32_t>(place >> 32);
  auto const to = op::philox<std::uint32_t>({low, high, static_cast<std::uint32_t>(axis), 0}, key);
  return {to.word0 % moves_modulus, to.word1 % moves_modulus, to.word2 % moves_modulus,
          to.word3 % moves_modulus};
}

/// The volumes of a box in random coordinates; zero if it is empty.
inline TransferVolume transfer_volume(Box const& box, op::PhiloxKey key) {
  TransferVolume volume{1, 1, 1, 1};
  for (std::size_t axis = 0; axis < box.begin.size(); ++axis) {
    auto const begin = moved(axis, box.begin[axis], key), end = moved(axis, box.end(axis), key);
    for (std::size_t i = 0; i < volume.size(); ++i)
      volume[i] = volume[i] * (end[i] + moves_modulus - begin[i]) % moves_modulus;
  }
  return volume;
}

/// Whether boxes within a tensor of these sizes cover each element exactly once. `box_of(one)` is
/// the box of an entry of the list.
template <class Boxes, class BoxOf = std::identity>
bool cover(Numbers const& sizes, Boxes const& boxes, BoxOf box_of = {}) {
  std::random_device word;  // unpredictable: crafted boxes cannot pass
  op::PhiloxKey const key{word(), word()};
  TransferVolume sum{};
  for (auto const& one : boxes) {
    auto const volume = transfer_volume(std::invoke(box_of, one), key);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = (sum[i] + volume[i]) % moves_modulus;
  }
  return sum == transfer_volume(whole_box(sizes), key);
}

}  // namespace tenon::internal::checkpoints

/// The index of a checkpoint: the contents of its files.
namespace tenon::internal::checkpoints {

/// A box of a tensor, and the file that stores it.
struct StoredBox {
  Box box{};
  std::string file{};   ///< Empty until it is assigned.
  std::string print{};  ///< The bytes of a small box, compared between ranks.
};

using StoredBoxes = std::vector<StoredBox>;

/// All tensors with global sizes, as in the header of a single file, and the boxes of each.
struct Index {
  safetensors::Header whole{};
  std::map<std::string, StoredBoxes, std::less<>> boxes{};
};

/// The name of a box in its file: that of the tensor if the box is all of it; else
/// "blocks.0.up[0:4,3:6]".
inline std::string entry_name(std::string const& tensor, Box const& box, Numbers const& sizes) {
  return box == whole_box(sizes) ? tensor : std::string(tensor).append("[") + text_of(box) + "]";
}

/// The size of a box in bytes.
inline std::uint64_t bytes_of(safetensors::Entry const& entry, Numbers const& extent) {
  return safetensors::bytes_of({entry.dtype, extent}).first;
}

/// The axes of a tensor, as text, if stored.
inline std::string axes_text(safetensors::Header const& header, std::string const& name) {
  auto const found = header.metadata.find(std::string(safetensors::spec_key).append(name));
  return found == header.metadata.end() ? std::string() : found->second;
}

/// Throws `Exception` unless the boxes of a tensor cover each element exactly once.
template <class Exception>
void check_cover(std::string_view who, std::string const& name, Numbers const& sizes,
                 StoredBoxes const& stored, std::string const& where) {
  if (cover(sizes, stored, &StoredBox::box)) return;
  std::string list;
  for (std::size_t i = 0; i < stored.size() && i < 8; ++i)
    list.append(" [").append(text_of(stored[i].box)).append("]");
  if (stored.size() > 8) list += " ...";
  std::string const expected = "boxes that cover \"" + joined(sizes, " ") + "\"";
  fail<Exception>({who, name, expected, stored.empty() ? "none" : list.substr(1), where});
}

}  // namespace tenon::internal::checkpoints
