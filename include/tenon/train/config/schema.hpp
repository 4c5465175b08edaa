#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/train/config/type.hpp>
#include <tenon/train/config/value_text.hpp>

namespace tenon::internal::training {

/// A scalar or list of a configuration (not a struct), by its path; `address` is that of the
/// field in the object.
struct ConfigKey {
  std::string path;
  Type const* type;
  Note const* note;
  void* address;
};

inline void append_keys(std::vector<ConfigKey>& keys, Type const& type, void* object,
                        std::string const& prefix) {
  for (Field const& field : type.fields()) {
    std::string const path = prefix + std::string(field.name);
    void* const part = part_of(object, field);
    if (field.type->form() == Form::record) append_keys(keys, *field.type, part, path + ".");
    else keys.push_back({path, field.type, &field.note, part});
  }
}

/// All keys of an object, in the order of its fields.
inline std::vector<ConfigKey> keys_of(Type const& type, void* object) {
  std::vector<ConfigKey> keys;
  append_keys(keys, type, object, "");
  return keys;
}

inline std::vector<std::string> paths_of(std::vector<ConfigKey> const& keys) {
  std::vector<std::string> paths;
  paths.reserve(keys.size());
  for (ConfigKey const& key : keys) paths.push_back(key.path);
  return paths;
}

inline std::string option_text(ConfigKey const& key) {
  std::string const name(key.note->short_name), other(key.note->long_name);
  std::string const dashes = name.size() == 1 ? "-" : "--";
  return "--" + key.path + (name.empty() ? "" : ", " + dashes + name) +
         (other.empty() ? "" : ", --" + other);
}

/// `  --training.rate, --lr, --learning-rate  float32, from 0 to 1, default 0.001`, and the
/// description below.
inline std::string help_of(ConfigKey const& key) {
  std::string text = "  " + option_text(key) + "  " + key.type->name();
  if (key.note->has_range) text += ", " + range_text(*key.note);
  text += ", default " + value_text(key.type->write(key.address), toml_style);
  if (key.note->mpi != FromMpi::none) text += ", set by the launcher of MPI";
  if (!key.note->description.empty()) text += "\n      " + escaped(key.note->description);
  return text + "\n";
}

/// The text for `--help`: each key with its type, range, default and description.
inline std::string help_text(std::vector<ConfigKey> const& keys, std::string const& program,
                             bool has_yaml) {
  std::string text = "usage: " + escaped(program) + " [--config FILE] [--KEY=VALUE ...]\n\n";
  text.append("  --config FILE  values from a file of TOML").append(has_yaml ? " or YAML" : "");
  text += "; options override them\n";
  text += "  --help, -h  this text\n";
  for (ConfigKey const& key : keys) text += help_of(key);
  return text;
}

}  // namespace tenon::internal::training
