#pragma once

#include <utility>

#include <toml++/toml.h>

#include <tenon/core/config.hpp>
#include <tenon/core/stable_sort.hpp>
#include <tenon/train/config/text_checks.hpp>
#include <tenon/train/config/toml.hpp>
#include <tenon/train/config/toml_scan.hpp>

namespace tenon::internal::training {

inline int line_of(toml::node const& node) { return static_cast<int>(node.source().begin.line); }

inline Value value_of(toml::node const& node);

inline Value::List list_of(toml::array const& array) {
  Value::List list;
  list.reserve(array.size());
  for (toml::node const& element : array) list.push_back(value_of(element));
  return list;
}

TENON_RUNTIME std::string toml_library() {
  return "toml++ " + std::to_string(TOML_LIB_MAJOR) + "." + std::to_string(TOML_LIB_MINOR) + "." +
         std::to_string(TOML_LIB_PATCH);
}

/// In the order of the file. (toml++ sorts keys.)
inline Value::Table table_of(toml::table const& table) {
  Value::Table entries;
  entries.reserve(table.size());
  for (auto const& [key, node] : table) entries.push_back({std::string(key.str()), value_of(node)});
  stable_sort(entries, [](Entry const& a, Entry const& b) { return a.value.line < b.value.line; });
  return entries;
}

inline Value value_of(toml::node const& node) {
  int const line = line_of(node);
  if (auto const* table = node.as_table()) return {table_of(*table), line};
  if (auto const* array = node.as_array()) return {list_of(*array), line};
  if (auto const* text = node.as_string()) return {text->get(), line};
  if (auto const* integer = node.as_integer()) return {integer->get(), line};
  if (auto const* number = node.as_floating_point()) return {Floating{number->get()}, line};
  if (auto const* truth = node.as_boolean()) return {truth->get(), line};
  return {Null(), line};  // dates and times have been refused
}

TENON_RUNTIME Value read_toml(std::string_view text, Source const& source) {
  check_text(text, source);
  TomlScan(text, source).check();
  try {
    return {table_of(toml::parse(text)), 0};
  } catch (toml::parse_error const& error) {
    refuse_text(source, static_cast<int>(error.source().begin.line), "valid TOML",
                excerpt(error.description()));
  }
}

}  // namespace tenon::internal::training
