#pragma once

// Configurations in YAML: programs that include this file also take `--config my.yaml`.

#include <string_view>

#include <tenon/train/config.hpp>
#include <tenon/train/config/yaml_value.hpp>

namespace tenon::internal::training {

/// Registers the reader before `main`.
inline bool const has_yaml_reader = (yaml_reader = read_yaml, true);

/// A configuration from the text of a YAML document, as `config_from_toml`. Plain scalars follow
/// the core schema of YAML 1.2; merge keys (`<<`) and several documents are refused, aliases are
/// counted as often as they are used. Throws `ConfigError`.
template <class Config>
Config config_from_yaml(std::string_view text, std::string_view name = "YAML") {
  Config config{};
  set_fields(fields_of(config), read_yaml(text, name));
  return config;
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::config_from_yaml;

}  // namespace tenon::training
