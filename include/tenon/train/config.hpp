#pragma once

// Configurations: a plain struct whose values come from a TOML file and from the command line.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/train/config/collect.hpp>
#include <tenon/train/config/command_line.hpp>
#include <tenon/train/config_text.hpp>

namespace tenon::internal::training {

/// A configuration from the text of a TOML document; `name` is that of its file, for messages. Keys
/// that the text lacks keep the defaults of the struct. Throws `ConfigError`.
template <class Config>
Config config_from_toml(std::string_view text, std::string_view name = "TOML") {
  Config config{};
  set_fields(fields_of(config), read_toml(text, name));
  return config;
}

/// A configuration from command line arguments, without the name of the program. Throws
/// `ConfigError`.
template <class Config>
Config parse_config(std::vector<std::string> const& arguments, std::string const& about = "") {
  Config config{};
  set_from_arguments(fields_of(config), arguments, about);
  return config;
}

/// Runs `parse`; prints the help, or the message of an error, and ends the program.
template <class Parse>
auto or_exit(Parse const& parse) {
  try {
    return parse();
  } catch (HelpWanted const& help) {
    std::fputs(help.text.c_str(), stdout);
    std::exit(0);
  } catch (ConfigError const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
}

/// The configuration of a program: the defaults of the struct, then the file of `--config FILE`
/// (TOML; YAML with <tenon/train/yaml.hpp>), then options such as `--training.steps=300`, or the
/// short names that the struct declares with `describe`. The fields of the struct are the keys:
/// numbers, `bool`, `std::string`, paths, enums by name, `std::vector` and `std::optional` of
/// these, and structs of such fields. An unknown key, a wrong type or a value out of its range is
/// one line on stderr, with the place and the nearest known key, and exit status 2. `--help` prints
/// the keys with descriptions, types, ranges and defaults. Python: `tyro.cli`, Hydra.
template <class Config>
Config load_config(std::vector<std::string> const& arguments, std::string const& about = "") {
  return or_exit([&] { return parse_config<Config>(arguments, about); });
}
template <class Config>
Config load_config(int count, char const* const* arguments, std::string const& about = "") {
  std::vector<std::string> const given(arguments + (count > 0 ? 1 : 0), arguments + count);
  return load_config<Config>(given, about);
}

/// A configuration as a TOML document, from which `config_from_toml` gives the same, to the bit.
template <class Config>
std::string to_toml(Config config) {
  return write_fields(fields_of(config));
}

template <class Config>
struct ConfigWriter {
  static tenon::training::ConfigText write(Config const& config) {
    return {to_toml(config), "toml"};
  }
};

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::config_from_toml;
using internal::training::load_config;
using internal::training::parse_config;
using internal::training::to_toml;

}  // namespace tenon::training
