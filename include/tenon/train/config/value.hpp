#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>

namespace tenon::training {

/// A configuration that is not valid: a file that cannot be read, an unknown key, a wrong type, a
/// value out of its range. Python: `omegaconf.errors.ConfigKeyError`, `argparse.ArgumentError`.
struct ConfigError : Error {
  using Error::Error;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::ConfigError;

/// A value of a configuration file or of the command line, with its place for messages.
struct ConfigValue {
  enum class Kind { table, array, string, integer, number, boolean, other };

  Kind kind = Kind::table;
  std::string key{};   // in its table
  std::string text{};  // of a string; of another kind, its name: "a date"
  std::int64_t integer = 0;
  double number = 0;
  bool boolean = false;
  std::vector<ConfigValue> parts{};  // of a table or an array
  std::string where{};               // "my.toml:7", or "the command line"
};

/// The largest size of a configuration file, in bytes, and the deepest nesting.
inline constexpr std::size_t most_config_bytes = std::size_t{1} << 24;
inline constexpr int most_config_depth = 32;

/// Throws `ConfigError`: `tenon::load_config: 'what': expected X, got Y (where)`.
[[noreturn]] inline void refuse_config(std::string_view what, std::string_view expected,
                                       std::string_view got, std::string_view where) {
  fail<ConfigError>(
      {.who = "load_config", .what = what, .expected = expected, .got = got, .where = where});
}

/// A value for messages: at most 40 bytes of a text.
inline std::string shown(ConfigValue const& value) {
  using enum ConfigValue::Kind;
  switch (value.kind) {
    case table:
      return "a table";
    case array:
      return "an array";
    case string:
      return "'" + escaped(value.text.substr(0, 40)) + (value.text.size() > 40 ? "...'" : "'");
    case integer:
      return std::to_string(value.integer);
    case boolean:
      return value.boolean ? "true" : "false";
    default:
      return value.text;
  }
}

}  // namespace tenon::internal::training
