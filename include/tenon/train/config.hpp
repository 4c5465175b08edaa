#pragma once

// The configuration of a program: a plain struct whose fields a file of TOML and the command line
// set. <tenon/train/yaml.hpp> adds YAML.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/train/config/documents.hpp>
#include <tenon/train/config/load.hpp>
#include <tenon/train/config/toml.hpp>
#include <tenon/train/config/types.hpp>
#include <tenon/train/config_text.hpp>

namespace tenon::training {

/// A plain struct that is a configuration: its fields are bool, integers, float, double,
/// `std::string`, `std::filesystem::path`, enumerations, other such structs, and `std::vector`,
/// `std::array` and `std::optional` of these. Python: a dataclass.
template <class T>
concept Configuration = internal::training::IsConfiguration<T>;

}  // namespace tenon::training

namespace tenon::internal::training {

/// The configuration of a program: the defaults of its fields, then the file of `--config FILE`,
/// then options (`--training.rate=1e-3`, `--training.rate 1e-3`), then the launcher of MPI for
/// fields that ask for it. Bad input is one line on the standard error, and ends the process with
/// code 2; `--help` prints all keys and ends it with code 0. Python: argparse, Hydra.
template <tenon::training::Configuration Config>
Config load_config(int argc, char const* const* argv) {
  Config config{};
  load_or_exit(type_of<Config>(), &config, argc, argv);
  return config;
}

/// The same from arguments without the name of the program; throws `ConfigError`.
template <tenon::training::Configuration Config>
Config parse_config(std::vector<std::string> const& arguments) {
  Config config{};
  read_arguments(type_of<Config>(), &config, arguments);
  return config;
}

/// A configuration from a document of TOML; `name` is its name in messages. Throws `ConfigError`.
template <tenon::training::Configuration Config>
Config config_from_toml(std::string_view text, std::string name = "toml") {
  Config config{};
  read_document(type_of<Config>(), &config, read_toml, text, {"config_from_toml", std::move(name)});
  return config;
}

/// A document of TOML that gives the same configuration back to the bit, in the order of the
/// fields, tables last, with their descriptions. Throws `ConfigError` if a string is not UTF-8.
template <tenon::training::Configuration Config>
std::string to_toml(Config const& config) {
  return toml_document(type_of<Config>().write(&config));
}

/// The text that `--help` prints.
template <tenon::training::Configuration Config>
std::string config_help(std::string const& program) {
  Config config{};
  return help_text(type_of<Config>(), &config, program);
}

// For a struct that is no configuration: the first error names the field.
template <class Config>
  requires(!tenon::training::Configuration<Config>)
ConfigFault<Config> load_config(int argc, char const* const* argv);
template <class Config>
  requires(!tenon::training::Configuration<Config>)
ConfigFault<Config> parse_config(std::vector<std::string> const& arguments);
template <class Config>
  requires(!tenon::training::Configuration<Config>)
ConfigFault<Config> config_from_toml(std::string_view text, std::string name = "");
template <class Config>
  requires(!tenon::training::Configuration<Config>)
ConfigFault<Config> to_toml(Config const& config);

template <tenon::training::Configuration Config>
struct ConfigWriter<Config> {
  static tenon::training::ConfigText write(Config const& config) {
    return {to_toml(config), "toml", toml_library()};
  }
};

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::config_from_toml;
using internal::training::config_help;
using internal::training::load_config;
using internal::training::parse_config;
using internal::training::to_toml;

}  // namespace tenon::training
