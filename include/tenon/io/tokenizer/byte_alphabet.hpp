#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The characters by which files spell bytes (GPT-2's `bytes_to_unicode`): visible characters of
/// Latin-1 are themselves, the other 68 bytes are U+0100 and those after it.
constexpr std::array<std::uint32_t, 256> byte_characters() {
  std::array<std::uint32_t, 256> characters{};
  std::uint32_t next = 0x100;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    bool const is_visible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
    characters[byte] = is_visible ? byte : next++;
  }
  return characters;
}

/// The bytes that a text of these characters spells. Empty if it has another character.
std::string bytes_spelled(std::string_view text);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/tokenizer/byte_alphabet.ipp>
#endif
