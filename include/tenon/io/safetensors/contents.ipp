#pragma once

#include <cstdint>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/layout.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal::safetensors {

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

}  // namespace tenon::internal::safetensors
