#pragma once

#include <filesystem>
#include <string>

#include <tenon/io/file.hpp>

#include <tenon/train/config/toml.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::internal::training {

/// A reader of another format, which <tenon/train/yaml.hpp> provides.
using ConfigReader = ConfigValue (*)(std::string_view text, std::string_view file);
inline ConfigReader yaml_reader = nullptr;

inline std::string config_text_of(std::filesystem::path const& path) {
  if (std::filesystem::is_directory(path)) {
    refuse_config("", "a file", "a folder", path.string());
  }
  try {
    InputFile const file(path, "load_config");
    if (file.size() <= most_config_bytes) return file.text();
  } catch (FileError const& error) {
    throw ConfigError(error.what());
  }
  refuse_config("", "at most 16 MiB", "more", path.string());
}

/// The values of a configuration file, by its extension. Throws `ConfigError`.
inline ConfigValue read_config_file(std::filesystem::path const& path) {
  auto const extension = path.extension();
  std::string const name = path.string();
  if (extension != ".yaml" && extension != ".yml") return read_toml(config_text_of(path), name);
  if (yaml_reader != nullptr) return yaml_reader(config_text_of(path), name);
  refuse_config("", "a TOML file, or a program that includes <tenon/train/yaml.hpp>", "YAML", name);
}

}  // namespace tenon::internal::training
