#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/train/config/field.hpp>
#include <tenon/train/config/nearest.hpp>
#include <tenon/train/config/write_text.hpp>

namespace tenon::internal::training {

/// A bound for messages: "0.001", "1000000".
inline std::string bound_text(double bound) {
  if (bound == std::floor(bound) && std::abs(bound) < 1e15) {
    return std::to_string(static_cast<std::int64_t>(bound));
  }
  std::string text;
  append_number(text, bound);
  return text;
}

/// Throws `ConfigError` where a number is out of the declared range of its field.
inline void check_range(ConfigField const& field, std::string_view where) {
  auto const number = field.number == nullptr ? std::nullopt : field.number(field.place);
  if (!number) return;
  double const value = *number;
  auto const& [least, most, name] = field.note;
  bool const is_open = least < -1e300 && most > 1e300;  // NaN is out of every other range
  if (is_open || (value >= least && value <= most)) return;
  refuse_config(field.key,
                least < -1e300 ? "at most " + bound_text(most)
                : most > 1e300 ? "at least " + bound_text(least)
                               : "from " + bound_text(least) + " to " + bound_text(most),
                bound_text(value), where);
}

inline bool is_table_of(ConfigField const& field, std::string_view key) {
  return field.key.size() > key.size() && field.key.starts_with(key) &&
         field.key[key.size()] == '.';
}

inline void set_field(ConfigField const& field, ConfigValue const& value) {
  field.read(field.place, value, field.key);
  check_range(field, value.where);
}

inline void set_fields(std::vector<ConfigField> const& fields, ConfigValue const& table,
                       std::string const& prefix = "");

/// Sets the field or the table of that key. Throws `ConfigError` for an unknown key.
inline void set_part(std::vector<ConfigField> const& fields, ConfigValue const& value,
                     std::string const& key) {
  auto const field = std::ranges::find(fields, key, &ConfigField::key);
  if (field != fields.end()) return set_field(*field, value);
  bool const is_table =
      std::ranges::any_of(fields, [&](ConfigField const& one) { return is_table_of(one, key); });
  if (!is_table) {
    refuse_config(key.substr(0, 100), "a known key", "none of that name" + nearest_key(key, fields),
                  value.where);
  }
  if (value.kind != ConfigValue::Kind::table) {
    refuse_config(key, "a table", shown(value), value.where);
  }
  set_fields(fields, value, key + ".");
}

/// Sets the fields to the values of a table. Throws `ConfigError`.
inline void set_fields(std::vector<ConfigField> const& fields, ConfigValue const& table,
                       std::string const& prefix) {
  for (ConfigValue const& part : table.parts) set_part(fields, part, prefix + part.key);
}

}  // namespace tenon::internal::training
