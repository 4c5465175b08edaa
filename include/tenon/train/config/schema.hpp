#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tenon/train/config/type.hpp>

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

}  // namespace tenon::internal::training
