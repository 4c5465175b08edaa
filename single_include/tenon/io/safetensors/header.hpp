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
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/io/safetensors/dtype.hpp>

namespace tenon {

/// The metadata of a file: names and texts, both UTF-8.
using Metadata = std::map<std::string, std::string>;

namespace safetensors {

/// The maximum size of a header, as in the reference implementation.
inline constexpr std::uint64_t most_header_bytes = 100'000'000;

/// The maximum rank of an entry: that of PyTorch and NumPy.
inline constexpr std::size_t most_axes = 64;

inline constexpr std::string_view metadata_name = "__metadata__";

/// The header's description of a tensor. Offsets are bytes from the start of the data.
struct Entry {
  StoredDtype const* dtype = nullptr;
  std::vector<std::int64_t> sizes{};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Header {
  std::map<std::string, Entry, std::less<>> entries{};
  Metadata metadata{};
  std::uint64_t data_at = 0;  ///< The offset of the data in the file.
};

/// Reads the entries of a header; `where` is the file in messages. Throws `FileError`.
Header read_entries(std::string_view text, std::string_view where);

/// The entry of that name; null where there is none.
Entry const* find_entry(Header const& header, std::string_view name);

}  // namespace safetensors
}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/header.ipp>
#endif
