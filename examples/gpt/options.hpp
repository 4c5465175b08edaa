#pragma once

// The options of the command line.

#include <array>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "settings.hpp"

namespace gpt {

/// An invalid argument or file.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void refuse(std::string const& what, std::string const& expected) {
  throw Refusal(what + ": expected " + expected);
}

struct Options {
  Settings settings;
  std::int64_t threads = 0;  // as many as the machine has
  std::int64_t sample = 500;
  double temperature = 0.8;
  std::string device;  // none: the best there is
  std::string text;    // a file; none: sums
  std::string prompt = "\n";
  std::string out = "gpt-run";
  std::string checkpoint;  // none: in the folder `out`
  std::string lesson;
  std::string verdict;  // the folder for scores and gradients of the lesson
  bool resume = false;
  std::int64_t pause = std::numeric_limits<std::int64_t>::max();
};

/// An integer option.
struct NumberOption {
  std::string_view name;
  std::int64_t Options::*value;
  std::int64_t least;
  std::int64_t most;
};

inline constexpr std::array<NumberOption, 3> number_options{{
    {"--threads", &Options::threads, 1, 1024},
    {"--sample", &Options::sample, 0, 1'000'000},
    {"--pause", &Options::pause, 0, 1'000'000},
}};

/// A text option.
struct TextOption {
  std::string_view name;
  std::string Options::*value;
};

inline constexpr std::array<TextOption, 7> text_options{{
    {"--device", &Options::device},
    {"--text", &Options::text},
    {"--prompt", &Options::prompt},
    {"--out", &Options::out},
    {"--checkpoint", &Options::checkpoint},
    {"--lesson", &Options::lesson},
    {"--export", &Options::verdict},
}};

inline constexpr char const* help =
    "A GPT is trained to add two-digit numbers and tested on sums outside of the training data; "
    "or\n"
    "it is trained on the bytes of a text and continues it.\n"
    "\n"
    "  --text FILE        train on this text\n"
    "  --steps N          training steps (1500; text: 3000)\n"
    "  --batch N          sums, or pieces of the text, per step (128; text: 16)\n"
    "  --seed N           seed of the random numbers (1); the same seed gives the same model\n"
    "  --length N         context length in bytes (text: 64)\n"
    "  --sample N         bytes to write after training on a text (500)\n"
    "  --prompt TEXT      the beginning of the sample (a new line)\n"
    "  --temperature X    0: always the most likely byte; 1: the learned probabilities (0.8)\n"
    "  --device NAME      cpu, or another device that the program was built with\n"
    "  --threads N        number of threads (all); results do not depend on it\n"
    "  --out DIR          output folder (gpt-run)\n"
    "  --checkpoint FILE  file of the training state (DIR/checkpoint.safetensors)\n"
    "  --resume           resume from the checkpoint, with the bits of an uninterrupted run\n"
    "  --pause N          stop after step N, as if by Ctrl-C\n"
    "  --lesson FILE --export DIR\n"
    "                     without training: read a lesson (int32: text, answer), and write the\n"
    "                     scores and gradients of the model of the checkpoint\n"
    "  --help             this text\n"
    "\n"
    "Ctrl-C leaves a checkpoint.\n";

inline char const* value_of(std::string_view name, char const* value) {
  if (value == nullptr) refuse(std::string(name), "a value after it");
  return value;
}

template <class Number>
Number read_number(std::string_view name, char const* given, Number least, Number most) {
  std::string const text = value_of(name, given);
  std::istringstream stream(text);  // std::from_chars of libc++ before 20 reads no `double`
  Number number{};
  bool const whole = stream >> std::noskipws >> number && stream.peek() == EOF;
  if (whole && number >= least && number <= most) return number;
  std::ostringstream expected;
  expected << (std::integral<Number> ? "a whole number" : "a number") << " from " << least << " to "
           << most << ", got '" << text << "'";
  refuse(std::string(name), expected.str());
}

/// Sets the option of one argument and its value; false if the argument is not an option.
inline bool set_option(Options& options, std::string_view name, char const* value) {
  for (auto const& [known, number, least, most] : setting_options) {
    if (name == known) options.settings.*number = read_number(name, value, least, most);
    if (name == known) return true;
  }
  for (auto const& [known, number, least, most] : number_options) {
    if (name == known) options.*number = read_number(name, value, least, most);
    if (name == known) return true;
  }
  for (auto const& [known, text] : text_options) {
    if (name == known) options.*text = value_of(name, value);
    if (name == known) return true;
  }
  if (name != "--temperature") return false;
  options.temperature = read_number(name, value, 0.0, 100.0);
  return true;
}

/// Checks options that require other options.
inline void check(Options const& options) {
  if (options.lesson.empty() != options.verdict.empty()) refuse("--lesson", "--export beside it");
  if (options.text.empty() && options.settings.length != unsaid) {
    refuse("--length", "--text beside it");
  }
}

/// Parses the command line; exits after `--help`. Throws `Refusal`.
inline Options parse_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string_view const name = arguments[i];
    if (name == "--help" || name == "-h") {
      std::fputs(help, stdout);
      std::exit(0);
    }
    if (name == "--resume") {
      options.resume = true;
    } else if (set_option(options, name, i + 1 < count ? arguments[i + 1] : nullptr)) {
      ++i;
    } else {
      refuse("'" + std::string(name) + "'", "an option such as --steps; try --help");
    }
  }
  check(options);
  return options;
}

}  // namespace gpt
