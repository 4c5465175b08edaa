#pragma once

// Configurations in YAML: `load_config` reads files *.yaml and *.yml as well.

#include <string>
#include <string_view>
#include <utility>

#include <tenon/train/config.hpp>
#include <tenon/train/config/yaml.hpp>

namespace tenon::internal::training {

/// Makes `load_config` read YAML, in the whole program.
inline bool const reads_yaml = (yaml_reader = read_yaml, true);

/// A configuration from a document of YAML; `name` is its name in messages. Throws `ConfigError`.
template <tenon::training::Configuration Config>
Config config_from_yaml(std::string_view text, std::string name = "yaml") {
  Config config{};
  read_document(type_of<Config>(), &config, read_yaml, text, {"config_from_yaml", std::move(name)});
  return config;
}

/// A document of YAML that gives the same configuration back to the bit, in the order of the
/// fields, with their descriptions. Throws `ConfigError` if a string is not UTF-8.
template <tenon::training::Configuration Config>
std::string to_yaml(Config const& config) {
  return yaml_document(type_of<Config>().write(&config));
}

// For a struct that is no configuration: the first error names the field.
template <class Config>
  requires(!tenon::training::Configuration<Config>)
ConfigFault<Config> config_from_yaml(std::string_view text, std::string name = "");
template <class Config>
  requires(!tenon::training::Configuration<Config>)
ConfigFault<Config> to_yaml(Config const& config);

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::config_from_yaml;
using internal::training::to_yaml;

}  // namespace tenon::training
