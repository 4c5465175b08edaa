#pragma once

#include <cstddef>
#include <stdexcept>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// A short inline string: the name or the expression of an axis. Every character is initialised:
/// g++ 12 treats constexpr values with uninitialised elements as zeros at run time.
struct FixedText {
  static constexpr std::size_t capacity = 63;

  char characters[capacity + 1]{};
  std::size_t length = 0;

  constexpr FixedText() = default;
  constexpr FixedText(std::string_view source) { append(source); }
  constexpr FixedText(char const* source) : FixedText(std::string_view(source)) {}

  constexpr std::string_view view() const { return {characters, length}; }
  constexpr bool empty() const { return length == 0; }

  constexpr FixedText& append(std::string_view more) {
    if (length + more.size() > capacity) throw std::length_error("tenon: a name is too long");
    for (char c : more) characters[length++] = c;
    return *this;
  }

  /// Compares characters one by one: for `memcmp` g++ 12 warns falsely about reading past the end.
  constexpr bool is(std::string_view other) const {
    if (length != other.size()) return false;
    for (std::size_t i = 0; i < length; ++i) {
      if (characters[i] != other[i]) return false;
    }
    return true;
  }

  friend constexpr bool operator==(FixedText const& a, FixedText const& b) {
    return a.is(b.view());
  }
};

}  // namespace tenon::internal
