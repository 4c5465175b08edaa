#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <tenon/io/tokenizer/unicode_tables.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

/// What the pre-tokenizers' regular expressions distinguish: `\s`, `\p{L}`, `\p{N}`, and the rest.
enum class CharacterClass { space, letter, number, other };

template <std::size_t n>
constexpr bool contains(CodeRange const (&ranges)[n], std::uint32_t code) {
  auto const* const after = std::ranges::upper_bound(ranges, code, {}, &CodeRange::first);
  return after != std::begin(ranges) && code <= std::prev(after)->last;
}

/// Unicode's White_Space.
inline constexpr CodeRange space_ranges[] = {
    {0x9, 0xd},       {0x20, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
    {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
};

constexpr CharacterClass class_of(std::uint32_t code) {
  if (contains(space_ranges, code)) return CharacterClass::space;
  if (contains(letter_ranges, code)) return CharacterClass::letter;
  if (contains(number_ranges, code)) return CharacterClass::number;
  return CharacterClass::other;
}

/// A character of a text. A byte that is no UTF-8 is one of class `other`, without a code point.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0 at the end of the text.
  CharacterClass kind = CharacterClass::other;
};

constexpr Character character_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  std::string_view const rest = text.substr(at);
  std::size_t const bytes = utf8_length(rest);
  if (bytes == 0) return {0xfffd, 1, CharacterClass::other};
  std::uint32_t const code = utf8_code(rest, bytes);
  return {code, bytes, class_of(code)};
}

}  // namespace tenon::internal
