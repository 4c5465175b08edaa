#pragma once

// Saves the state of training to a file, and loads it.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>

#include <tenon/io/safetensors.hpp>

#include "options.hpp"

namespace gpt {

/// An existing file is kept: `checkpoint.safetensors` becomes `checkpoint.safetensors.before`.
inline void put_aside(std::filesystem::path const& path) {
  auto kept = path;
  if (std::filesystem::is_regular_file(path)) std::filesystem::rename(path, kept += ".before");
}

/// Checks that the settings of a checkpoint are possible and agree with the command line.
inline void check_settings(std::string const& file, Settings const& found, Settings const& said) {
  for (auto const& [name, setting, least, most] : setting_options) {
    auto const value = found.*setting, wanted = said.*setting;
    std::string const got = ", got " + std::to_string(value);
    if (wanted != unsaid && wanted != value)
      refuse(file, std::string(name) + " " + std::to_string(wanted) + got);
    if (value < least || value > most)
      refuse(file, std::string(name) + " from " + std::to_string(least) + " to " +
                       std::to_string(most) + got);
  }
}

/// The run-time sizes of a model.
template <class Model>
std::array<std::int64_t, 4> open_sizes(Model const& model) {
  return {model.words.weight.sizes()[0], model.places.weight.sizes()[0],
          model.head.weight.sizes()[1], model.head.bias.sizes()[0]};
}

inline std::string in_words(std::array<std::int64_t, 4> const& sizes) {
  return std::to_string(sizes[0]) + " words and " + std::to_string(sizes[1]) + " places";
}

/// Checks that the tensors of a file have consistent sizes, and fit the size of the vocabulary.
template <class Training>
void check_parts(std::string const& file, Training const& found, std::int64_t words) {
  auto const& [settings, step, losses] = std::tie(found.settings, found.step, found.losses);
  std::array const wanted{words, settings.length, words, words};
  for (auto const* part : {&found.model, &found.optimiser.mean, &found.optimiser.mean_square}) {
    auto const sizes = open_sizes(*part);
    if (sizes != wanted) refuse(file, in_words(wanted) + ", got " + in_words(sizes));
  }
  bool const is_whole = step >= 0 && step <= settings.steps &&
                        found.optimiser.steps.item() == step && losses.size() == settings.steps;
  if (!is_whole) refuse(file, "the state after one step, got parts of several");
}

inline std::filesystem::path checkpoint_of(Options const& options) {
  if (!options.checkpoint.empty()) return options.checkpoint;
  return std::filesystem::path(options.out) / "checkpoint.safetensors";
}

/// Throws `Refusal`, and what `load` throws, if the file is not a checkpoint of this program and
/// task.
template <class Training>
Training load_checkpoint(std::filesystem::path const& path, Options const& options,
                         std::int64_t words) {
  auto found = tenon::load(path, Training());
  std::string const file = "'" + path.string() + "'";
  check_settings(file, found.settings, options.settings);
  check_parts(file, found, options.lesson.empty() ? words : found.model.words.weight.sizes()[0]);
  return found;
}

}  // namespace gpt
