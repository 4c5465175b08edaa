#pragma once

// The configuration of a run: its fields are the keys of a TOML file and the options of the command
// line, with these defaults.

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include <tenon/train/config.hpp>

#include "refusal.hpp"

namespace gpt {

using tenon::training::field;
using tenon::training::fields;

inline std::string number(double value, char const* format = "%.1f") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

struct TrainingConfig {
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> batch;
  double learning_rate = 3e-3;
  std::int64_t warmup = 100;
  double weight_decay = 0.1;
  double clip_norm = 1;
  std::int64_t checkpoint_every = 100;
  std::optional<std::int64_t> pause;

  static constexpr auto describe() {
    return fields(
        field<&TrainingConfig::steps>("training steps; 1500 for sums, 3000 for a text")
            .range(1, 1'000'000)
            .short_name("steps"),
        field<&TrainingConfig::batch>("sums, or pieces of a text, per step; 128 or 16")
            .range(1, 65'536)
            .short_name("batch"),
        field<&TrainingConfig::learning_rate>("the largest learning rate").range(0, 1),
        field<&TrainingConfig::warmup>("steps until it").range(0, 1'000'000),
        field<&TrainingConfig::clip_norm>("the largest global norm of the gradients")
            .range(1e-9, 1e9),
        field<&TrainingConfig::checkpoint_every>("steps between checkpoints")
            .range(1, 1'000'000'000),
        field<&TrainingConfig::pause>("stop after this step, as if by Ctrl-C; none: at the end")
            .range(0, 1'000'000)
            .short_name("pause"));
  }
};

/// For runs that learn the bytes of a text.
struct TextConfig {
  std::string file;
  std::optional<std::int64_t> length;
  std::int64_t sample = 500;
  double temperature = 0.8;
  std::string prompt = "\n";

  static constexpr auto describe() {
    return fields(
        field<&TextConfig::file>("train on this text; none: sums").short_name("text"),
        field<&TextConfig::length>("the context in bytes; 64").range(8, 4096).short_name("length"),
        field<&TextConfig::sample>("bytes to write after training")
            .range(0, 1'000'000)
            .short_name("sample"),
        field<&TextConfig::temperature>("0: always the likeliest byte; 1: as learned")
            .range(0, 100)
            .short_name("temperature"),
        field<&TextConfig::prompt>("the beginning of the sample").short_name("prompt"));
  }
};

struct Config {
  std::int64_t seed = 1;
  std::int64_t threads = 0;
  std::string device;
  std::string tag = "gpt";
  std::string runs = "runs";
  std::string resume;
  std::string lesson;
  std::string comparison;
  TrainingConfig training;
  TextConfig text;

  static constexpr auto describe() {
    return fields(
        field<&Config::seed>("of the random numbers; the same gives the same model")
            .range(0, 1'000'000'000),
        field<&Config::threads>("0: as many as cores; results do not depend on it").range(0, 1024),
        field<&Config::device>("cpu, opencl, cuda or mps; the program is built with it"),
        field<&Config::tag>("the end of the name of the run's folder"),
        field<&Config::runs>("the folder of all runs"),
        field<&Config::resume>("a run's folder, or a checkpoint: continue with its bits"),
        field<&Config::lesson>("without training: a file of a lesson (int32: text, answer)"),
        field<&Config::comparison>("the folder for the model's scores and gradients of the lesson")
            .short_name("export"));
  }
};

/// The configuration with the defaults of its task.
inline Config resolved(Config config) {
  bool const is_text = !config.text.file.empty();
  if (config.lesson.empty() != config.comparison.empty()) refuse("--lesson", "--export beside it");
  if (!is_text && config.text.length) refuse("--length", "--text beside it");
  TrainingConfig& training = config.training;
  if (!training.steps) training.steps = is_text ? 3000 : 1500;
  if (!training.batch) training.batch = is_text ? 16 : 128;
  if (is_text && !config.text.length) config.text.length = 64;
  return config;
}

/// The maximal number of tokens in the context.
inline std::int64_t length_of(Config const& config) { return config.text.length.value_or(16); }

}  // namespace gpt
