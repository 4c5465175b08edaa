#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include <tenon/train/config/enumerators.hpp>
#include <tenon/train/config/fault.hpp>
#include <tenon/train/config/number.hpp>
#include <tenon/train/config/scalars.hpp>
#include <tenon/train/config/words.hpp>
#include <tenon/train/data/csv_floating.hpp>
#include <tenon/train/data/csv_scanner.hpp>

/// The values of cells, by the type of the field.
namespace tenon::internal::csv {

/// A cell that is read, and where it stands.
struct Reading {
  Cell const& cell;
  std::string_view column;
  Place const& place;

  [[noreturn, gnu::cold]] void refuse(std::string const& expected,
                                      std::string const& note = {}) const {
    std::string const got =
        cell.text.empty() ? "an empty field" : "'" + training::excerpt(cell.text) + "'" + note;
    place.refuse(cell.line, training::excerpt(column), expected, got);
  }
};

template <training::IntegralType T>
void read_value(T& value, Reading const& reading) {
  std::errc const error = parse_whole(reading.cell.text, value);
  if (error == std::errc()) return;
  using Limits = std::numeric_limits<T>;
  std::string type = (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
  if (error == std::errc::result_out_of_range)
    type += " from " + std::to_string((Limits::min)()) + " to " + std::to_string((Limits::max)());
  reading.refuse(type);
}

inline void refuse_floating(std::string_view text, std::string type, std::string const& most,
                            Reading const& reading) {
  if (is_decimal(text)) type += ", at most " + most;
  reading.refuse(type);
}

template <class T>
  requires std::is_floating_point_v<T>
void read_value(T& value, Reading const& reading) {
  auto const number = parse_floating<T>(reading.cell.text);
  if (!number)
    refuse_floating(reading.cell.text, sizeof(T) == 4 ? "float32" : "float64",
                    training::shortest_digits((std::numeric_limits<T>::max)()), reading);
  value = *number;
}

/// As Python, pandas and spreadsheets write them.
inline void read_value(bool& value, Reading const& reading) {
  std::string_view const text = reading.cell.text;
  bool const is_true = text == "true" || text == "True" || text == "TRUE" || text == "1";
  bool const is_false = text == "false" || text == "False" || text == "FALSE" || text == "0";
  if (!is_true && !is_false) reading.refuse("bool: true, false, 1 or 0");
  value = is_true;
}

inline void read_value(std::string& value, Reading const& reading) {
  value = std::string(reading.cell.text);
}

/// The value of the enumerator that a cell names.
inline long long read_enumerator(training::Enumerators const& enumerators, Reading const& reading) {
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
