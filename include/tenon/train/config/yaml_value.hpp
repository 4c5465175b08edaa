#pragma once

// YAML files by yaml-cpp (https://github.com/jbeder/yaml-cpp), read into a `ConfigValue`.

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <yaml-cpp/yaml.h>

#include <tenon/train/config/toml.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::internal::training {

/// The nodes that a document may have, aliases counted as often as they are used.
inline constexpr int most_yaml_nodes = 100'000;

inline std::string place_in(std::string_view file, YAML::Mark const& mark) {
  return std::string(file) + ":" + std::to_string(mark.line + 1);
}

/// YAML's core schema of plain scalars (https://yaml.org/spec/1.2.2, 10.3.2); quoted ones are
/// texts.
inline void set_plain_scalar(ConfigValue& value, std::string const& text) {
  using enum ConfigValue::Kind;
  value.kind = string;
  value.text = text;
  if (text == "true" || text == "false") {
    value.kind = boolean;
    value.boolean = text == "true";
  }
  if (text == "null" || text == "~" || text.empty()) value.kind = other, value.text = "null";
  char const* const end = text.data() + text.size();
  char const* const first = text.data() + (text.starts_with('+') ? 1 : 0);
  auto const [last, error] = std::from_chars(first, end, value.integer);
  if (last == end && error == std::errc()) value.kind = integer;
  if (value.kind != string || text.empty()) return;
  if (text == ".nan" || text == ".inf" || text == "-.inf" || text == "+.inf") {
    value.number = std::strtod((text == ".nan" ? "nan" : text[0] == '-' ? "-inf" : "inf"), nullptr);
    value.kind = number;
  } else if (text.find_first_not_of("+-.0123456789eE") == std::string::npos &&
             text.find_first_of("0123456789") != std::string::npos) {
    char* stop = nullptr;
    double const read = std::strtod(text.c_str(), &stop);
    if (stop == text.c_str() + text.size()) value.kind = number, value.number = read;
  }
}

class YamlReader {
 public:
  explicit YamlReader(std::string_view file) : file_(file) {}

  ConfigValue read(YAML::Node const& node, int depth) {
    ConfigValue value{.where = place_in(file_, node.Mark())};
    if (depth > most_config_depth) refuse(value, "at most 32 nested tables and arrays");
    if (++count_ > most_yaml_nodes) refuse(value, "at most 100000 values, aliases included");
    if (node.IsMap()) {
      add_members(value, node, depth);
    } else if (node.IsSequence()) {
      value.kind = ConfigValue::Kind::array;
      for (auto const& part : node) value.parts.push_back(read(part, depth + 1));
    } else if (node.IsScalar() && node.Tag() == "?") {
      set_plain_scalar(value, node.Scalar());
    } else if (node.IsScalar()) {
      value.kind = ConfigValue::Kind::string;
      value.text = node.Scalar();
    } else {
      value.kind = ConfigValue::Kind::other;
      value.text = "null";
    }
    return value;
  }

 private:
  void add_members(ConfigValue& value, YAML::Node const& node, int depth) {
    std::set<std::string> keys;
    for (auto const& member : node) {
      ConfigValue part{.where = place_in(file_, member.first.Mark())};
      if (!member.first.IsScalar()) refuse(part, "a name as the key");
      std::string const key = member.first.Scalar();
      if (key == "<<") refuse(part, "a key; merge keys are not read");
      if (!keys.insert(key).second) refuse(part, "each key once, got '" + key + "' twice");
      value.parts.push_back(read(member.second, depth + 1));
      value.parts.back().key = key;
    }
  }

  [[noreturn]] static void refuse(ConfigValue const& value, std::string const& expected) {
    auto const got = expected.find(", got ");
    if (got == std::string::npos) refuse_config("", expected, "another", value.where);
    refuse_config("", expected.substr(0, got), expected.substr(got + 6), value.where);
  }

  std::string_view file_;
  int count_ = 0;
};

/// The deepest nesting of brackets, and of indented lines at least: yaml-cpp recurses for each.
inline bool is_deep_yaml(std::string_view text) {
  int depth = 0, deepest = 0;
  std::size_t in_row = 0;
  for (char const c : text) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
    in_row = c == '-' || c == ' ' || c == '?' || c == ':' ? in_row + (c == ' ' ? 0 : 1) : 0;
    if (in_row > 200) return true;
  }
  return deepest > 200;
}

/// The table of a YAML document. Throws `ConfigError`.
inline ConfigValue read_yaml(std::string_view text, std::string_view file) {
  if (is_deep_yaml(text)) {
    refuse_config("", "at most 32 nested tables and arrays", "more", file);
  }
  try {
    auto const documents = YAML::LoadAll(std::string(text));
    if (documents.size() > 1) refuse_config("", "one document", "several", file);
    if (documents.empty() || documents[0].IsNull()) return {.where = std::string(file)};
    ConfigValue value = YamlReader(file).read(documents[0], 0);
    if (value.kind == ConfigValue::Kind::table) return value;
    refuse_config("", "a table", shown(value), value.where);
  } catch (YAML::Exception const& error) {
    refuse_config("", "a YAML document", one_line(error.msg), place_in(file, error.mark));
  }
}

}  // namespace tenon::internal::training
