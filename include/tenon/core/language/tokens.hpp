#pragma once

#include <array>
#include <string_view>

#include <tenon/core/language/token.hpp>

namespace tenon::internal {

/// The words of an annotation: up to `max_rank` axes and one variadic.
struct Tokens {
  std::array<SpecToken, max_rank + 1> words{};
  int count = 0;
  std::string_view culprit{};  ///< The first malformed word,
  std::string_view mistake{};  ///< and the reason; empty if there is none.

  constexpr SpecToken const& operator[](int i) const { return words[static_cast<std::size_t>(i)]; }
  constexpr SpecToken const* begin() const { return words.data(); }
  constexpr SpecToken const* end() const { return words.data() + count; }
  constexpr int variadics() const {
    int n = 0;
    for (SpecToken const& token : *this) n += token.is_variadic();
    return n;
  }
};

/// The reason why a token is not allowed after those before it; empty where it is.
constexpr std::string_view following_mistake(Tokens const& before, SpecToken const& token) {
  if (!token.mistake.empty()) return token.mistake;
  if (token.is_variadic() && before.variadics() == 1) return "only one variadic can stand here";
  int const axes = before.count - before.variadics();
  return !token.is_variadic() && axes == max_rank ? "a tensor has at most 8 axes" : "";
}

/// Splits a spec or an annotation into tokens, up to its first error.
constexpr Tokens tokens_of(std::string_view spec) {
  Tokens result{};
  for (auto word = next_word(spec); !word.empty(); word = next_word(spec)) {
    SpecToken const token = token_of(word);
    result.mistake = following_mistake(result, token);
    if (!result.mistake.empty()) {
      result.culprit = word;
      break;
    }
    result.words[static_cast<std::size_t>(result.count++)] = token;
  }
  return result;
}

}  // namespace tenon::internal
