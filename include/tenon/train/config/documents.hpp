#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::internal::training {

/// A table as a document.
std::string toml_document(Value const& value);
std::string yaml_document(Value const& value);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <variant>

#include <tenon/core/error.hpp>
#include <tenon/train/config/value_text.hpp>

namespace tenon::internal::training {

inline std::string comment_line(Entry const& entry, std::string const& indent) {
  return entry.comment.empty() ? "" : indent + "# " + escaped(entry.comment) + "\n";
}

inline bool is_table(Entry const& entry) {
  return std::holds_alternative<Value::Table>(entry.value.data);
}

/// The entries of a table as a document of TOML: values in their order, then tables, as what
/// follows the header of a table belongs to it.
inline void append_toml(std::string& text, Value::Table const& table, std::string const& prefix) {
  for (Entry const& entry : table) {
    if (is_table(entry)) continue;
    text += comment_line(entry, "") + key_text(entry.key, toml_style) + " = ";
    text += value_text(entry.value, toml_style) + "\n";
  }
  for (Entry const& entry : table) {
    if (!is_table(entry)) continue;
    std::string const path = prefix + key_text(entry.key, toml_style);
    text += (text.empty() ? "" : "\n") + comment_line(entry, "") + "[" + path + "]\n";
    append_toml(text, std::get<Value::Table>(entry.value.data), path + ".");
  }
}

/// The same in YAML, all in their order.
inline void append_yaml(std::string& text, Value::Table const& table, std::string const& indent) {
  for (Entry const& entry : table) {
    text += comment_line(entry, indent) + indent + key_text(entry.key, yaml_style) + ":";
    auto const* inner = std::get_if<Value::Table>(&entry.value.data);
    if (inner && !inner->empty()) {
      text += "\n";
      append_yaml(text, *inner, indent + "  ");
    } else {
      text += " " + value_text(entry.value, yaml_style) + "\n";
    }
  }
}

TENON_RUNTIME std::string toml_document(Value const& value) {
  std::string text;
  append_toml(text, std::get<Value::Table>(value.data), "");
  return text;
}

TENON_RUNTIME std::string yaml_document(Value const& value) {
  std::string text;
  append_yaml(text, std::get<Value::Table>(value.data), "");
  return text.empty() ? "{}\n" : text;
}

}  // namespace tenon::internal::training

#endif
