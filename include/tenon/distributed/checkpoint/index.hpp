#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/checkpoint/box.hpp>
#include <tenon/distributed/checkpoint/cover.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>

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
