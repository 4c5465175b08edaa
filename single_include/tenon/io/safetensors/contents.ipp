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
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/layout.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::safetensors {

/// The length of the header, from the first eight bytes of a file. Throws `FileError`.
TENON_RUNTIME std::uint64_t read_header_length(InputFile const& file) {
  auto const refuse = [&](std::string const& expected, std::uint64_t got) {
    fail<FileError>({"load", {}, expected, std::to_string(got) + " bytes", file.name()});
  };
  if (file.size() < 8) refuse("a safetensors file, of at least 8 bytes", file.size());
  unsigned char bytes[8];
  file.read(0, bytes, sizeof bytes);
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  if (length > most_header_bytes) refuse("a header of at most 100000000 bytes", length);
  std::uint64_t const rest = file.size() - 8;
  if (length > rest)
    refuse("a header of at most " + std::to_string(rest) + " bytes, the rest of the file", length);
  return length;
}

TENON_RUNTIME Header read_header(InputFile const& file) {
  std::uint64_t const length = read_header_length(file);
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(8, text.data(), text.size());
  if (!is_utf8(text)) {
    std::string const at = ", byte " + std::to_string(utf8_end(text)) + " of the header";
    fail<FileError>({"load", {}, "a header of UTF-8", "other bytes", file.name() + at});
  }
  Header header = read_entries(text, file.name());
  header.data_at = 8 + length;
  check_layout(header, file.name(), file.size() - header.data_at);
  return header;
}

}  // namespace tenon::safetensors
