#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/byte_alphabet.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

/// The byte of each character below U+0144; -1 for the others.
constexpr std::array<std::int16_t, 0x144> bytes_of_characters() {
  std::array<std::int16_t, 0x144> bytes{};
  for (auto& byte : bytes) byte = -1;
  auto const characters = byte_characters();
  for (std::size_t i = 0; i < 256; ++i) bytes[characters[i]] = static_cast<std::int16_t>(i);
  return bytes;
}

TENON_RUNTIME std::string bytes_spelled(std::string_view text) {
  static constexpr auto bytes = bytes_of_characters();
  std::string result;
  while (!text.empty()) {
    std::size_t const length = utf8_length(text);
    if (length == 0) return {};
    std::uint32_t const code = utf8_code(text, length);
    if (code >= bytes.size() || bytes[code] < 0) return {};
    result += static_cast<char>(bytes[code]);
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace tenon::internal
