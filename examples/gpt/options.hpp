#pragma once

// The options of the command line.

#include <array>
#include <charconv>
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
  std::string verdict;  // the folder for what the model says to the lesson
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
    "A GPT learns to add two-digit numbers and is examined on sums that it never saw; or it "
    "learns\n"
    "the bytes of a text and continues it.\n"
    "\n"
    "  --text FILE        learn this text\n"
    "  --steps N          training steps (1500; text: 3000)\n"
    "  --batch N          sums, or pieces of the text, in a step (128; text: 16)\n"
    "  --seed N           where the random numbers begin (1); the same seed gives the same model\n"
    "  --length N         bytes that it sees at once (text: 64)\n"
    "  --sample N         bytes to write after training on a text (500)\n"
    "  --prompt TEXT      what the sample continues (a new line)\n"
    "  --temperature X    0: always the likeliest byte; 1: as likely as learned (0.8)\n"
    "  --device NAME      where it computes: cpu, or another that the program was built with\n"
    "  --threads N        threads that compute (all there are); no result depends on it\n"
    "  --out DIR          folder for what is written (gpt-run)\n"
    "  --checkpoint FILE  where the state of training is kept (DIR/checkpoint.safetensors)\n"
    "  --resume           go on from the checkpoint, bit for bit as if never stopped\n"
    "  --pause N          stop after step N, as if by Ctrl-C\n"
    "  --lesson FILE --export DIR\n"
    "                     train nothing: read what is learned from (int32: text, answer), write "
    "what\n"
    "                     the model of the checkpoint makes of it: scores, gradients\n"
    "  --help             this text\n"
    "\n"
    "Ctrl-C leaves a checkpoint.\n";

inline char const* value_of(std::string_view name, char const* value) {
  if (value == nullptr) refuse(std::string(name), "a value after it");
  return value;
}

template <class Number>
Number read_number(std::string_view name, char const* given, Number least, Number most) {
  std::string_view const text = value_of(name, given);
  Number number{};
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const whole = failed == std::errc() && end == text.data() + text.size();
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
