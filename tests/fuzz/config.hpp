#pragma once

// A configuration for the targets of its readers.

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/config.hpp>

namespace fuzz {

enum class Kind { adam, sgd };

struct Layer {
  std::optional<int> depth;
  std::vector<double> rates;
};

struct Config {
  int seed = 1;
  float rate = 0.1f;
  bool fast = false;
  std::string name;
  Kind kind = Kind::adam;
  std::vector<std::string> names;
  Layer layer;
};

/// A configuration that was read is written as text that gives the same.
inline void check_round_trip(Config const& config) {
  std::string const text = tenon::training::to_toml(config);
  auto const back = tenon::training::config_from_toml<Config>(text);
  if (tenon::training::to_toml(back) != text) std::abort();
}

/// A message is one line.
inline void check_message(std::string const& message) {
  if (message.find_first_of("\n\r") != std::string::npos) std::abort();
}

}  // namespace fuzz
