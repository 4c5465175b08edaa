#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tenon::internal {

/// A text buffer of fixed capacity; text beyond the capacity sets `full`.
template <std::size_t Capacity>
struct TextWriter {
  char characters[Capacity + 1]{};
  std::size_t length = 0;
  bool full = false;

  constexpr std::string_view view() const { return {characters, length}; }

  constexpr TextWriter& operator<<(char const* text) { return *this << std::string_view(text); }
  constexpr TextWriter& operator<<(std::string_view text) {
    if (length + text.size() > Capacity) full = true;
    if (full) return *this;
    for (char c : text) characters[length++] = c;
    return *this;
  }

  constexpr TextWriter& operator<<(std::int64_t number) {
    char digits[20]{};
    std::size_t n = 0;
    bool const negative = number < 0;
    auto rest = static_cast<std::uint64_t>(number);
    if (negative) rest = 0 - rest;
    do {
      digits[n++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (negative) *this << std::string_view("-");
    while (n > 0) *this << std::string_view(&digits[--n], 1);
    return *this;
  }
};

}  // namespace tenon::internal
