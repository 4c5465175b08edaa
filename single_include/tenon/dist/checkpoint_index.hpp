// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/dist/box.hpp>
#include <tenon/dist/cover.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/layout.hpp>
#include <tenon/io/safetensors/leaf.hpp>

/// The index of a checkpoint: the contents of its files.
namespace tenon::checkpoints {

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

}  // namespace tenon::checkpoints
