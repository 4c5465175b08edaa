#pragma once

// The tasks: data for training, and the evaluation.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>

#include <tenon/tenon.hpp>

#include "addition.hpp"
#include "config.hpp"
#include "exam.hpp"
#include "text.hpp"

namespace gpt {

/// The size of the vocabulary of a task.
inline std::int64_t words_of(Config const& config) {
  return config.text.file.empty() ? static_cast<std::int64_t>(vocabulary.size()) : 256;
}

template <class Training>
struct Task {
  std::string title;
  std::uint64_t fingerprint;
  Draw draw;
  std::function<void(Training const&, std::filesystem::path const& folder)> examine;
};

template <class Training>
Task<Training> addition(Config const& config) {
  auto const sums = split_sums(1000);
  return {"to add two-digit numbers, from texts such as \"12+34=046\"", 0,
          [=, batch = *config.training.batch](Key const& key) {
            return draw_sums(key, sums.seen, batch);
          },
          [=](Training const& run, auto const&) { examine(run.model, sums.unseen); }};
}

/// The loss on the held-out bytes, and a generated text.
template <class Training>
void examine_reader(Training const& run, Text const& text, TextConfig const& config,
                    std::filesystem::path const& folder) {
  if (!text.unseen.empty()) {
    auto const pieces = draw_pieces(Key{0}, text.unseen, 64, run.settings.length);
    std::printf(
        "exam: %.3f nats a byte, on the last tenth of the text, which was held out\n",
        static_cast<double>(loss_of(run.model, to<tree::DeviceOf<Training>>(pieces)).item()));
  }
  if (config.sample == 0) return;
  auto const sample = config.prompt + continuation(run.model, config.prompt, config.sample,
                                                   run.settings.length, config.temperature);
  write_file(folder / "sample.txt", sample);
  std::printf("----\n%s\n----\n", printable(sample).c_str());
}

template <class Training>
Task<Training> reading(Config const& config) {
  auto const length = length_of(config);
  auto const text = read_text(config.text.file, length);
  return {"the bytes of " + config.text.file, fingerprint(text),
          [=, batch = *config.training.batch](Key const& key) {
            return draw_pieces(key, text.seen, batch, length);
          },
          [=](Training const& run, auto const& folder) {
            examine_reader(run, text, config.text, folder);
          }};
}

/// The task of a run. Throws `Refusal` if the run has started with another text.
template <class Training>
Task<Training> task_of(Training& run, Config const& config) {
  auto task = config.text.file.empty() ? addition<Training>(config) : reading<Training>(config);
  if (config.resume.empty()) run.fingerprint = task.fingerprint;
  if (run.fingerprint == task.fingerprint) return task;
  refuse("--text", "the text that the checkpoint began with, got another");
}

/// Prints the settings of the run: every tensor of the model with its axes, and the numbers.
template <class Training>
void announce(Training const& run, std::string const& title) {
  std::printf("A GPT learns %s.\n\n", title.c_str());
  tree::for_each(
      [](std::string const& path, auto const& leaf) {
        if (!path.starts_with("blocks.1"))
          std::printf("  %-34s float32 \"%s\"\n", path.c_str(), leaf.spec.text);
      },
      run.model);
  std::printf("  blocks.1 is like blocks.0; %s: %lld parameters in all\n\n",
              in_words(open_sizes(run.model)).c_str(),
              static_cast<long long>(tree::elements(run.model)));
  auto const [steps, batch, seed, length] = run.settings;
  std::printf("  %lld steps, %lld done, each \"batch=%lld\"; seed %lld, %d threads, on %s\n\n",
              static_cast<long long>(steps), static_cast<long long>(run.step),
              static_cast<long long>(batch), static_cast<long long>(seed), threads(),
              std::string(tree::DeviceOf<Training>::name).c_str());
}

}  // namespace gpt
