#pragma once

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

/// Commands of the system's shell.
namespace tenon::internal::training {

/// A text as one word of a command.
inline std::string shell_word(std::string_view text) {
#if defined(_WIN32)
  constexpr char const* quote = "\"";
#else
  constexpr char const* quote = "'";
#endif
  std::string word = quote;
  for (char const c : text) word += c == *quote ? std::string("'\\''") : std::string(1, c);
  return word + quote;
}

/// The output of a command; none where it fails.
inline std::optional<std::string> output_of(std::string const& command) {
#if defined(_WIN32)
  std::FILE* const pipe = _popen((command + " 2>NUL").c_str(), "r");
#else
  std::FILE* const pipe = popen((command + " 2>/dev/null </dev/null").c_str(), "r");
#endif
  if (!pipe) return std::nullopt;
  std::string text;
  std::array<char, 4096> part{};
  while (std::size_t const bytes = std::fread(part.data(), 1, part.size(), pipe)) {
    if (text.size() < 65536) text.append(part.data(), bytes);
  }
#if defined(_WIN32)
  bool const is_success = _pclose(pipe) == 0;
#else
  bool const is_success = pclose(pipe) == 0;
#endif
  return is_success ? std::optional(text) : std::nullopt;
}

}  // namespace tenon::internal::training
