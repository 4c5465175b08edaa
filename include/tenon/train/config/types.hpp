#pragma once

// The types of fields: how each is read from a value, and written.

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/train/config/enums.hpp>
#include <tenon/train/config/nearest.hpp>
#include <tenon/train/config/value.hpp>
#include <tenon/train/config/write_text.hpp>

namespace tenon::internal::training {

/// `name()` for messages and `--help`, `read(field, value, key)`, `write(field, text)`, which is
/// false for an absent value. A type without a specialisation is a table or is refused.
template <class T>
struct ConfigType;

template <class T>
concept ConfigScalar = requires { ConfigType<T>::name(); };

[[noreturn]] inline void refuse_type(std::string_view key, std::string const& expected,
                                     ConfigValue const& value) {
  refuse_config(key, expected, shown(value), value.where);
}

template <>
struct ConfigType<bool> {
  static std::string name() { return "true or false"; }
  static void read(bool& field, ConfigValue const& value, std::string_view key) {
    if (value.kind != ConfigValue::Kind::boolean) refuse_type(key, name(), value);
    field = value.boolean;
  }
  static bool write(bool field, std::string& text) {
    return text += field ? "true" : "false", true;
  }
};

template <std::integral T>
  requires(!std::same_as<T, bool>)
struct ConfigType<T> {
  static std::string name() { return "an integer"; }
  static void read(T& field, ConfigValue const& value, std::string_view key) {
    if (value.kind != ConfigValue::Kind::integer) refuse_type(key, name(), value);
    if (!std::in_range<T>(value.integer)) {
      refuse_type(key,
                  "an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                      std::to_string(std::numeric_limits<T>::max()),
                  value);
    }
    field = static_cast<T>(value.integer);
  }
  static bool write(T field, std::string& text) { return text += std::to_string(field), true; }
};

template <std::floating_point T>
struct ConfigType<T> {
  static std::string name() { return "a number"; }
  static void read(T& field, ConfigValue const& value, std::string_view key) {
    using enum ConfigValue::Kind;
    if (value.kind != number && value.kind != integer) refuse_type(key, name(), value);
    double const wanted = value.kind == number ? value.number : static_cast<double>(value.integer);
    field = static_cast<T>(wanted);
    if (std::isfinite(wanted) && !std::isfinite(field)) refuse_type(key, "a smaller number", value);
  }
  static bool write(T field, std::string& text) { return append_number(text, field), true; }
};

template <>
struct ConfigType<std::string> {
  static std::string name() { return "a text"; }
  static void read(std::string& field, ConfigValue const& value, std::string_view key) {
    if (value.kind != ConfigValue::Kind::string) refuse_type(key, name(), value);
    field = value.text;
  }
  static bool write(std::string const& field, std::string& text) {
    return append_string(text, field), true;
  }
};

template <>
struct ConfigType<std::filesystem::path> {
  static std::string name() { return "a path"; }
  static void read(std::filesystem::path& field, ConfigValue const& value, std::string_view key) {
    if (value.kind != ConfigValue::Kind::string) refuse_type(key, name(), value);
    field = value.text;
  }
  static bool write(std::filesystem::path const& field, std::string& text) {
    return append_string(text, field.string()), true;
  }
};

template <class T>
  requires std::is_enum_v<T>
struct ConfigType<T> {
  static std::string name() { return "one of " + joined(enumerator_names<T>()); }
  static void read(T& field, ConfigValue const& value, std::string_view key) {
    auto const names = enumerator_names<T>();
    for (auto const& [text, enumerator] : names) {
      if (value.kind == ConfigValue::Kind::string && value.text == text) {
        return void(field = enumerator);
      }
    }
    refuse_type(key, name(), value);
  }
  static bool write(T field, std::string& text) {
    for (auto const& [name, enumerator] : enumerator_names<T>()) {
      if (enumerator == field) return append_string(text, name), true;
    }
    return false;
  }
};

template <ConfigScalar T>
struct ConfigType<std::optional<T>> {
  static std::string name() { return ConfigType<T>::name(); }
  static void read(std::optional<T>& field, ConfigValue const& value, std::string_view key) {
    ConfigType<T>::read(field.emplace(), value, key);
  }
  static bool write(std::optional<T> const& field, std::string& text) {
    return field ? ConfigType<T>::write(*field, text) : (text += "absent", false);
  }
};

template <ConfigScalar T>
struct ConfigType<std::vector<T>> {
  static std::string name() { return "an array, each " + ConfigType<T>::name(); }
  static void read(std::vector<T>& field, ConfigValue const& value, std::string_view key) {
    if (value.kind != ConfigValue::Kind::array) refuse_type(key, name(), value);
    field.clear();
    field.reserve(value.parts.size());
    for (ConfigValue const& part : value.parts) {
      T element{};
      ConfigType<T>::read(element, part, key);
      field.push_back(std::move(element));
    }
  }
  static bool write(std::vector<T> const& field, std::string& text) {
    text += '[';
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (i > 0) text += ", ";
      ConfigType<T>::write(field[i], text);
    }
    return text += ']', true;
  }
};

}  // namespace tenon::internal::training
