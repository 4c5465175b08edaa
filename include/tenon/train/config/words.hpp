#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::training {

/// A configuration that is not valid: an unknown key, a value of the wrong type or out of its
/// range, a file that cannot be read. The message is one line, with the file and the line.
struct ConfigError : Error {
  using Error::Error;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// A text of a file as part of a message: at most 60 bytes, in one line.
std::string excerpt(std::string_view text);

/// A value in a message.
std::string words_of(Value const& value);

/// Where a value that is read belongs to.
struct Place {
  Source const& source;
  std::string key;
  int line = 0;

  [[noreturn, gnu::cold]] void refuse(std::string const& expected, std::string const& got) const;
};

/// `; did you mean 'rate'?` for the nearest of the known words, one that differs only in case
/// before others, if one is near; or nothing.
std::string suggestion(std::string_view word, std::span<std::string const> known);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/train/config/number.hpp>

namespace tenon::internal::training {

TENON_RUNTIME std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return escaped(text);
  std::size_t end = most;
  while (end > most - 4 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return escaped(text.substr(0, end)) + "...";
}

inline std::string words_of(Null const&) { return "null"; }
inline std::string words_of(bool x) { return x ? "true" : "false"; }
inline std::string words_of(std::int64_t x) { return std::to_string(x); }
inline std::string words_of(std::uint64_t x) { return std::to_string(x); }
inline std::string words_of(Floating const& x) {
  return std::isfinite(x.value) ? floating_text(x.value, x.is_single) : shortest_digits(x.value);
}
inline std::string words_of(std::string const& x) { return "the string \"" + excerpt(x) + "\""; }
inline std::string words_of(Plain const& x) { return "'" + excerpt(x.text) + "'"; }
inline std::string words_of(Value::List const& x) {
  return "a list of " + std::to_string(x.size()) + (x.size() == 1 ? " value" : " values");
}
inline std::string words_of(Value::Table const&) { return "a table"; }

TENON_RUNTIME std::string words_of(Value const& value) {
  return std::visit([](auto const& x) { return words_of(x); }, value.data);
}

TENON_RUNTIME void Place::refuse(std::string const& expected, std::string const& got) const {
  fail<tenon::training::ConfigError>({.who = source.who,
                                      .what = excerpt(key),
                                      .expected = expected,
                                      .got = got,
                                      .where = source.at(line)});
}

/// The number of insertions, deletions and replacements between two words (Levenshtein 1966).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size());
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j + 1;
  std::size_t distance = b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = i;
    distance = i + 1;
    for (std::size_t j = 0; j < row.size(); ++j) {
      std::size_t const replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      distance = (std::min)({replaced, distance + 1, row[j] + 1});
      diagonal = std::exchange(row[j], distance);
    }
  }
  return distance;
}

/// Without capitals of ASCII.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

TENON_RUNTIME std::string suggestion(std::string_view word, std::span<std::string const> known) {
  if (word.size() > 200) return {};
  std::string const lower = lower_case(word);
  std::size_t least = word.size() / 3 + 2;
  std::string_view nearest;
  for (std::string_view const other : known) {
    if (lower == lower_case(other)) {
      nearest = other;
      break;
    }
    if (word.size() > other.size() + least) continue;
    std::size_t const distance = edit_distance(word, other);
    if (distance >= least) continue;
    least = distance;
    nearest = other;
  }
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

}  // namespace tenon::internal::training

#endif
