#pragma once

// The fields of a configuration as data: one `ConfigField` for each, which the readers, the command
// line, the help and the writers walk.

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/train/config/value.hpp>

namespace tenon::training {

/// What a configuration says of one of its fields: a description for `--help`, the range of a
/// number, and a short name on the command line. `describe` attaches it to a field.
struct FieldNote {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::string_view short_name = "";  ///< "steps": `--steps` is `--training.steps`.
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::FieldNote;

/// A field of a configuration that holds a value, not a table.
struct ConfigField {
  std::string key{};        // "training.steps"
  std::string type{};       // "an integer"
  bool takes_text = false;  // the command line gives its text as it is
  void* place = nullptr;    // of the field in the configuration
  void (*read)(void*, ConfigValue const&, std::string_view key) = nullptr;
  bool (*write)(void const*, std::string& text) = nullptr;  // as TOML; false for an absent value
  std::optional<double> (*number)(void const*) = nullptr;   // of a number, for its range
  std::string description{};
  FieldNote note{};
};

}  // namespace tenon::internal::training
