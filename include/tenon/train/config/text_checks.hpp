#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/io/utf8.hpp>
#include <tenon/train/config/value.hpp>
#include <tenon/train/config/words.hpp>

namespace tenon::internal::training {

/// The greatest size of a file, in bytes.
inline constexpr std::uint64_t largest_text = std::uint64_t{16} << 20;

[[noreturn, gnu::cold]] inline void refuse_text(Source const& source, int line,
                                                std::string const& expected,
                                                std::string const& got) {
  Place{source, "", line}.refuse(expected, got);
}

inline int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

inline void check_size(std::uint64_t bytes, Source const& source) {
  if (bytes > largest_text)
    refuse_text(source, 0, "at most 16 MiB of text", std::to_string(bytes) + " bytes");
}

/// What all formats require: a bounded size, UTF-8, no NUL.
inline void check_text(std::string_view text, Source const& source) {
  check_size(text.size(), source);
  std::size_t const end = utf8_end(text);
  if (end < text.size()) refuse_text(source, line_at(text, end), "text in UTF-8", "other bytes");
  std::size_t const nul = text.find('\0');
  if (nul != text.npos) refuse_text(source, line_at(text, nul), "text", "a NUL character");
}

}  // namespace tenon::internal::training
