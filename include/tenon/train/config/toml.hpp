#pragma once

// TOML files by toml++ (https://marzer.github.io/tomlplusplus/), read into a `ConfigValue`.

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/train/config/value.hpp>
#include <tenon/train/config/write_text.hpp>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace tenon::internal::training {

/// The place of a part of a file: "my.toml:7".
inline std::string place_in(std::string_view file, toml::source_region const& source) {
  return std::string(file) + ":" + std::to_string(source.begin.line);
}

inline ConfigValue from_toml(toml::node const& node, std::string_view file, int depth);

inline void add_part(ConfigValue& value, std::string_view key, toml::node const& part,
                     std::string_view file, int depth) {
  value.parts.push_back(from_toml(part, file, depth + 1));
  value.parts.back().key = key;
}

inline void set_scalar(ConfigValue& value, toml::node const& node) {
  using enum ConfigValue::Kind;
  if (auto const* text = node.as_string()) {
    value.kind = string;
    value.text = text->get();
  } else if (auto const* whole = node.as_integer()) {
    value.kind = integer;
    value.integer = whole->get();
  } else if (auto const* real = node.as_floating_point()) {
    value.kind = number;
    value.number = real->get();
    append_number(value.text, value.number);
  } else if (auto const* truth = node.as_boolean()) {
    value.kind = boolean;
    value.boolean = truth->get();
  } else {
    value.kind = other;
    value.text = node.is_date() ? "a date" : "a time";
  }
}

inline ConfigValue from_toml(toml::node const& node, std::string_view file, int depth) {
  ConfigValue value{.where = place_in(file, node.source())};
  if (depth > most_config_depth) {
    refuse_config("", "at most 32 nested tables and arrays", "more", value.where);
  }
  if (auto const* table = node.as_table()) {
    for (auto const& [key, part] : *table) add_part(value, key.str(), part, file, depth);
  } else if (auto const* array = node.as_array()) {
    value.kind = ConfigValue::Kind::array;
    for (auto const& part : *array) add_part(value, "", part, file, depth);
  } else {
    set_scalar(value, node);
  }
  return value;
}

/// A message of toml++ in one line.
inline std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (char const c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  return line.size() > 200 ? line.substr(0, 200) + "..." : line;
}

/// The table of a TOML document. Throws `ConfigError`.
inline ConfigValue read_toml(std::string_view text, std::string_view file) {
  auto result = toml::parse(text, file);
  if (result) return from_toml(result.table(), file, 0);
  refuse_config("", "a TOML document", one_line(result.error().description()),
                place_in(file, result.error().source()));
}

}  // namespace tenon::internal::training
