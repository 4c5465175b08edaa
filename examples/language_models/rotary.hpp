#pragma once

// Rotary positions: J. Su et al., "RoFormer", 2021.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

#include <tenon/io/json/value.hpp>
#include <tenon/tenon.hpp>

namespace language_models {

using namespace tenon;

/// Llama 3.1's frequencies for texts longer than those of the training: slow rotations are slowed
/// down further, by `factor`, fast ones are kept, those between are mixed. (A. Grattafiori et al.,
/// "The Llama 3 herd of models", 2024; the constants are those of config.json.)
struct RotaryScaling {
  double factor = 1, low = 1, high = 4, length = 1;

  double operator()(double frequency) const {
    double const turns = length * frequency / (2 * std::numbers::pi);  // over the training length
    if (turns < low) return frequency / factor;
    if (turns > high) return frequency;
    double const smooth = (turns - low) / (high - low);
    return (1 - smooth) * frequency / factor + smooth * frequency;
  }
};

inline double positive_in(json::Value const& config, std::string_view name) {
  double const number = config.at(name).number();
  if (!(number > 0)) config.at(name).refuse("a positive number");
  return number;
}

/// The scaling of config.json; null where there is none.
inline RotaryScaling rotary_scaling(json::Value const* config) {
  if (config == nullptr) return {};
  auto const& type = config->at(config->find("type") != nullptr ? "type" : "rope_type");
  if (type.string() == "default") return {};
  if (type.string() != "llama3") type.refuse("\"default\" or \"llama3\"");
  auto const number = [&](std::string_view name) { return positive_in(*config, name); };
  if (number("high_freq_factor") <= number("low_freq_factor"))
    config->at("high_freq_factor").refuse("a number above low_freq_factor");
  return {number("factor"), number("low_freq_factor"), number("high_freq_factor"),
          number("original_max_position_embeddings")};
}

/// The frequencies of config.json, for an even number of features.
inline Float32<"half"> rotary_frequencies(json::Value const& config, std::int64_t features) {
  auto const* const both = config.find("rope_parameters");  // since version 5 of transformers
  auto const scale = rotary_scaling(both != nullptr ? both : config.find("rope_scaling"));
  double const theta = positive_in(both != nullptr ? *both : config, "rope_theta");
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < features; i += 2) {
    auto const exponent = -static_cast<double>(i) / static_cast<double>(features);
    frequencies.push_back(static_cast<float>(scale(std::pow(theta, exponent))));
  }
  return Float32<"half">(frequencies, features / 2);
}

}  // namespace language_models
