#pragma once

#include <string>

/// Parts of a program that trains: configuration, runs, checkpoints, data, the loop.
namespace tenon::training {

/// The text of a configuration, and its format: "toml" or "yaml", the extension of its file.
struct ConfigText {
  std::string text;
  std::string format = "toml";
  std::string libraries = {};  ///< For system.json: the versions of those that read it.
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// `static ConfigText write(Config const&)`: defined by <tenon/train/config.hpp>, so that a run
/// records a configuration without a header of TOML.
template <class Config>
struct ConfigWriter;

}  // namespace tenon::internal::training
