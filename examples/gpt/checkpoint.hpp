#pragma once

// Continues the run of a checkpoint.

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/train/checkpoints.hpp>

#include "config.hpp"

namespace gpt {

/// The numbers of a run that stand in its checkpoints, too: another run cannot continue them.
struct Settings {
  std::int64_t steps;
  std::int64_t batch;
  std::int64_t seed;
  std::int64_t length;
};

inline Settings settings_of(Config const& config) {
  return {*config.training.steps, *config.training.batch, config.seed, length_of(config)};
}

/// `--resume` is a checkpoint, or the folder of a run, whose last checkpoint is meant.
inline std::filesystem::path checkpoint_of(std::string const& resume) {
  std::filesystem::path const path = resume;
  if (!std::filesystem::is_directory(path)) return path;
  return tenon::training::find_checkpoint(path / "checkpoints", "latest", "step");
}

/// The folder of the run that is resumed; none where none is.
inline std::filesystem::path folder_of(std::string const& resume) {
  if (resume.empty() || std::filesystem::is_directory(resume)) return resume;
  return std::filesystem::absolute(resume).parent_path().parent_path();
}

/// The configuration of the command line, on that of the run that is resumed.
template <class Config>
Config config_of(int count, char** arguments) {
  auto const given = tenon::training::load_config<Config>(count, arguments);
  bool const has_file = std::any_of(arguments, arguments + count, [](std::string_view argument) {
    return argument == "--config" || argument.starts_with("--config=");
  });
  if (has_file) return given;
  std::string const option =
      "--config=" + (folder_of(given.resume) / "config_resolved.toml").string();
  if (given.resume.empty() || !std::filesystem::exists(option.substr(9))) return given;
  std::vector<char const*> all(arguments, arguments + count);
  all.insert(all.begin() + 1, option.c_str());
  return tenon::training::load_config<Config>(count + 1, all.data());
}

/// Checks that a checkpoint is of a run with these settings.
inline void check_settings(std::string const& file, Settings const& found, Settings const& wanted) {
  auto const check = [&](char const* name, std::int64_t is, std::int64_t should_be) {
    if (is == should_be) return;
    refuse(file,
           std::string(name) + " " + std::to_string(should_be) + ", got " + std::to_string(is));
  };
  check("--steps", found.steps, wanted.steps);
  check("--batch", found.batch, wanted.batch);
  check("--seed", found.seed, wanted.seed);
  check("--length", found.length, wanted.length);
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
  auto const& steps = found.settings.steps;
  std::array const wanted{words, found.settings.length, words, words};
  for (auto const* part : {&found.model, &found.optimiser.mean, &found.optimiser.mean_square}) {
    auto const sizes = open_sizes(*part);
    if (sizes != wanted) refuse(file, in_words(wanted) + ", got " + in_words(sizes));
  }
  bool const is_whole = found.step >= 0 && found.step <= steps &&
                        found.optimiser.steps.item() == found.step && found.losses.size() == steps;
  if (!is_whole) refuse(file, "the state after one step, got parts of several");
}

/// The state of a checkpoint. Throws `Refusal`, and what `load` throws, if the file is not a
/// checkpoint of this program and task.
template <class Training>
Training resume(Config const& config, Settings const& settings, std::int64_t words) {
  auto const path = checkpoint_of(config.resume);
  auto found = tenon::load(path, Training(), {.report_all = true});
  std::string const file = "'" + path.string() + "'";
  if (!config.lesson.empty()) return found;
  check_parts(file, found, words);
  check_settings(file, found.settings, settings);
  return found;
}

}  // namespace gpt
