#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/train/config/enumerators.hpp>
#include <tenon/train/config/fault.hpp>

/// The values of cells, by the type of the field.
namespace tenon::internal::csv {

/// The file in messages.
struct Place {
  std::string name;

  [[noreturn, gnu::cold]] void refuse(std::int64_t line, std::string_view column,
                                      std::string const& expected, std::string const& got) const;
};

/// A field of a line, without its quotes.
struct Cell {
  std::string_view text;
  bool is_quoted;
  std::int64_t line;
};

/// A cell that is read, and where it stands.
struct Reading {
  Cell const& cell;
  std::string_view column;
  Place const& place;

  [[noreturn, gnu::cold]] void refuse(std::string const& expected,
                                      std::string const& note = {}) const;
};

/// What is not an integer of `size` bytes, by the result of std::from_chars.
[[noreturn, gnu::cold]] void refuse_integer(Reading const& reading, bool is_signed,
                                            std::size_t size, std::string const& range);

template <training::IntegralType T>
void read_value(T& value, Reading const& reading) {
  std::string_view const text = reading.cell.text;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool const is_whole = end == text.data() + text.size();
  if (is_whole && error == std::errc()) return;
  using Limits = std::numeric_limits<T>;
  bool const is_large = is_whole && error == std::errc::result_out_of_range;
  refuse_integer(reading, std::is_signed_v<T>, sizeof(T),
                 is_large ? " from " + std::to_string((Limits::min)()) + " to " +
                                std::to_string((Limits::max)())
                          : "");
}

void read_value(float& value, Reading const& reading);
void read_value(double& value, Reading const& reading);

/// As Python, pandas and spreadsheets write them.
void read_value(bool& value, Reading const& reading);

void read_value(std::string& value, Reading const& reading);

/// The value of the enumerator that a cell names.
long long read_enumerator(training::Enumerators const& enumerators, Reading const& reading);

template <class T>
  requires std::is_enum_v<T>
void read_value(T& value, Reading const& reading) {
  value = static_cast<T>(read_enumerator({training::enumerator_names<T>.name}, reading));
}

/// Nothing for an empty cell; a quoted one is an empty string.
template <class T>
void read_value(std::optional<T>& value, Reading const& reading) {
  bool const is_text = std::is_same_v<T, std::string> && reading.cell.is_quoted;
  if (reading.cell.text.empty() && !is_text) value.reset();
  else read_value(value.emplace(), reading);
}

}  // namespace tenon::internal::csv

#if TENON_DEFINES_RUNTIME

#include <cmath>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/train/config/number.hpp>
#include <tenon/train/config/scalars.hpp>
#include <tenon/train/config/words.hpp>

namespace tenon::internal::csv {

inline bool is_decimal(std::string_view text) {
  return training::is_decimal(text.substr(text.starts_with('-') ? 1 : 0));
}

template <class T>
std::optional<T> parse_word(std::string_view text) {
  std::string word = training::lower_case(text);
  bool const is_negative = word.starts_with('-');
  if (is_negative) word.erase(0, 1);
  T const sign = is_negative ? T{-1} : T{1};
  if (word == "nan") return std::copysign(std::numeric_limits<T>::quiet_NaN(), sign);
  if (word == "inf" || word == "infinity") return sign * std::numeric_limits<T>::infinity();
  return {};
}

/// std::from_chars refuses numbers that are too small as those that are too large. (libc++ before
/// 20 has it for integers only.)
template <class T>
bool parse_floating(std::string_view text, T& value) {
#if defined(__cpp_lib_to_chars)
  bool const has_payload = text.ends_with(')');  // nan(1)
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!has_payload && end == text.data() + text.size() && error == std::errc()) return true;
#endif
  auto const number = is_decimal(text) ? training::parse_decimal<T>(text) : parse_word<T>(text);
  if (number) value = *number;
  return number.has_value();
}

TENON_RUNTIME void Place::refuse(std::int64_t line, std::string_view column,
                                 std::string const& expected, std::string const& got) const {
  std::string const where = line > 0 ? name + ":" + std::to_string(line) : name;
  fail<FileError>({"csv::load", column, expected, got, where});
}

TENON_RUNTIME void Reading::refuse(std::string const& expected, std::string const& note) const {
  std::string const got =
      cell.text.empty() ? "an empty field" : "'" + training::excerpt(cell.text) + "'" + note;
  place.refuse(cell.line, training::excerpt(column), expected, got);
}

TENON_RUNTIME void refuse_integer(Reading const& reading, bool is_signed, std::size_t size,
                                  std::string const& range) {
  reading.refuse((is_signed ? "int" : "uint") + std::to_string(8 * size) + range);
}

template <class T>
void read_floating(T& value, Reading const& reading, std::string type) {
  if (parse_floating(reading.cell.text, value)) return;
  if (is_decimal(reading.cell.text))
    type += ", at most " + training::shortest_digits((std::numeric_limits<T>::max)());
  reading.refuse(type);
}

TENON_RUNTIME void read_value(float& value, Reading const& reading) {
  read_floating(value, reading, "float32");
}
TENON_RUNTIME void read_value(double& value, Reading const& reading) {
  read_floating(value, reading, "float64");
}

TENON_RUNTIME void read_value(bool& value, Reading const& reading) {
  std::string_view const text = reading.cell.text;
  bool const is_true = text == "true" || text == "True" || text == "TRUE" || text == "1";
  bool const is_false = text == "false" || text == "False" || text == "FALSE" || text == "0";
  if (!is_true && !is_false) reading.refuse("bool: true, false, 1 or 0");
  value = is_true;
}

TENON_RUNTIME void read_value(std::string& value, Reading const& reading) {
  value = std::string(reading.cell.text);
}

TENON_RUNTIME long long read_enumerator(training::Enumerators const& enumerators,
                                        Reading const& reading) {
  std::vector<std::string> names;
  names.reserve(enumerators.name.size());
  for (std::size_t i = 0; i < enumerators.name.size(); ++i) {
    if (enumerators.name[i].empty()) continue;
    if (reading.cell.text == enumerators.name[i]) return training::Enumerators::value(i);
    names.emplace_back(enumerators.name[i]);
  }
  reading.refuse(training::list_of_names(enumerators),
                 training::suggestion(reading.cell.text, names));
}

}  // namespace tenon::internal::csv

#endif
