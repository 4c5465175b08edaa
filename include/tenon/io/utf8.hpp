#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The length of a UTF-8 sequence from its first byte, and the smallest code point that needs that
/// length.
struct Utf8Lead {
  std::size_t bytes;  ///< 0 for an invalid first byte.
  std::uint32_t bits;
  std::uint32_t least;
};

constexpr Utf8Lead utf8_lead(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xc2 && byte < 0xe0) return {2, byte & 0x1fu, 0x80};
  if (byte >= 0xe0 && byte < 0xf0) return {3, byte & 0x0fu, 0x800};
  if (byte >= 0xf0 && byte < 0xf5) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

constexpr bool is_surrogate(std::uint32_t code) { return code >= 0xd800 && code < 0xe000; }

/// The code point of a character of `bytes` bytes at the start of a text.
constexpr std::uint32_t utf8_code(std::string_view text, std::size_t bytes) {
  std::uint32_t code = utf8_lead(static_cast<unsigned char>(text[0])).bits;
  for (std::size_t i = 1; i < bytes; ++i)
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  return code;
}

/// The length in bytes of the character at the start of a text, by RFC 3629; 0 if it is invalid.
constexpr std::size_t utf8_length(std::string_view text) {
  Utf8Lead const lead = text.empty() ? Utf8Lead{} : utf8_lead(static_cast<unsigned char>(text[0]));
  if (lead.bytes == 0 || lead.bytes > text.size()) return 0;
  std::uint32_t code = lead.bits;
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    auto const byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte & 0x3fu);
  }
  return code < lead.least || code > 0x10ffff || is_surrogate(code) ? 0 : lead.bytes;
}

/// The length of the longest UTF-8 prefix of a text.
constexpr std::size_t utf8_end(std::string_view text) {
  std::size_t at = 0;
  while (std::size_t const bytes = utf8_length(text.substr(at))) at += bytes;
  return at;
}

constexpr bool is_utf8(std::string_view text) { return utf8_end(text) == text.size(); }

/// Appends a code point.
void append_utf8(std::string& text, std::uint32_t code);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME void append_utf8(std::string& text, std::uint32_t code) {
  auto const push = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  auto const follow = [&](int shift) { push(0x80u | (code >> shift & 0x3fu)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xc0u | code >> 6), follow(0);
  } else if (code < 0x10000) {
    push(0xe0u | code >> 12), follow(6), follow(0);
  } else {
    push(0xf0u | code >> 18), follow(12), follow(6), follow(0);
  }
}

}  // namespace tenon::internal

#endif
