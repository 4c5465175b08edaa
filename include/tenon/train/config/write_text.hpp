#pragma once

// Values as TOML, from which the same values are read.

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/train/config/field.hpp>

namespace tenon::internal::training {

/// The shortest text that reads as the same number, always with a point or an exponent.
template <std::floating_point T>
void append_number(std::string& text, T value) {
  if (std::isnan(value)) return void(text += "nan");
  if (std::isinf(value)) return void(text += value < 0 ? "-inf" : "inf");
  std::array<char, 64> digits{};
  int constexpr most = std::same_as<T, float> ? 9 : 17;
  for (int count = 1; count <= most; ++count) {
    std::snprintf(digits.data(), digits.size(), "%.*g", count, static_cast<double>(value));
    if (static_cast<T>(std::strtod(digits.data(), nullptr)) == value) break;
  }
  std::string_view const shortest = digits.data();
  text += shortest;
  if (shortest.find_first_of(".e") == std::string_view::npos) text += ".0";
}

/// A basic string of TOML: what is not printable ASCII or UTF-8 is escaped.
inline void append_string(std::string& text, std::string_view value) {
  text += '"';
  for (char const c : value) {
    bool const is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"' || c == '\\') text += '\\';
    if (!is_control) {
      text += c;
      continue;
    }
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04X", static_cast<unsigned>(c));
    text += escape.data();
  }
  text += '"';
}

/// "training." of "training.steps".
inline std::string_view table_of(std::string_view key) {
  auto const point = key.rfind('.');
  return point == std::string_view::npos ? std::string_view() : key.substr(0, point);
}

/// `steps = 100  # training steps`; an absent value is a comment.
inline void append_field(std::string& text, ConfigField const& field) {
  std::string value;
  bool const is_present = field.write(field.place, value);
  auto const name = std::string_view(field.key).substr(field.key.rfind('.') + 1);
  if (!is_present) text += "# ";
  text.append(name).append(" = ").append(value);
  if (!field.description.empty()) text.append("  # ").append(field.description);
  text += '\n';
}

/// All fields as a TOML document, tables in the order of the fields, with descriptions as comments.
/// The fields of a table stand together, those of the outer table first.
inline std::string write_fields(std::vector<ConfigField> const& fields) {
  std::vector<std::string_view> tables{""};
  for (ConfigField const& field : fields) {
    auto const table = table_of(field.key);
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  }
  std::string text;
  for (auto const table : tables) {
    if (!table.empty()) text.append("\n[").append(table).append("]\n");
    for (ConfigField const& field : fields) {
      if (table_of(field.key) == table) append_field(text, field);
    }
  }
  return text;
}

}  // namespace tenon::internal::training
