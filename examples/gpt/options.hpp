#pragma once

// What can be said on the command line.

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gpt {

struct Options {
  std::int64_t steps = 1500;
  std::int64_t batch = 128;
  std::int64_t seed = 1;
  std::int64_t threads = 0;  // as many as the machine has
  std::string out = "gpt-run";
};

/// An option that is a whole number.
struct NumberOption {
  std::string_view name;
  std::int64_t Options::*value;
  std::int64_t least;
  std::int64_t most;
};

inline constexpr std::array<NumberOption, 4> number_options{{
    {"--steps", &Options::steps, 1, 1'000'000},
    {"--batch", &Options::batch, 1, 65'536},
    {"--seed", &Options::seed, 0, 1'000'000'000},
    {"--threads", &Options::threads, 1, 1024},
}};

inline constexpr char const* help =
    "A GPT learns to add two-digit numbers and is examined on sums that it never saw.\n"
    "\n"
    "  --steps N     training steps (1500)\n"
    "  --batch N     sums in a step (128)\n"
    "  --seed N      where the random numbers begin (1); the same seed gives the same model\n"
    "  --threads N   threads that compute (all there are); no result depends on it\n"
    "  --out DIR     folder for the loss curve and the checkpoint (gpt-run)\n"
    "  --help        this text\n";

/// One line about a wrong argument; ends the program.
[[noreturn]] inline void refuse(std::string_view what, std::string const& expected) {
  std::fprintf(stderr, "gpt: %s: expected %s; try --help\n", std::string(what).c_str(),
               expected.c_str());
  std::exit(2);
}

inline std::int64_t read_number(NumberOption const& option, std::string_view text) {
  std::int64_t number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const whole = failed == std::errc() && end == text.data() + text.size();
  if (!whole || number < option.least || number > option.most) {
    refuse(option.name, "a whole number from " + std::to_string(option.least) + " to " +
                            std::to_string(option.most) + ", got '" + std::string(text) + "'");
  }
  return number;
}

/// Sets what one argument and its value say.
inline void set_option(Options& options, std::string_view name, char const* value) {
  if (value == nullptr) refuse(name, "a value after it");
  if (name == "--out") options.out = value;
  for (NumberOption const& option : number_options) {
    if (name == option.name) options.*option.value = read_number(option, value);
  }
}

inline bool is_option(std::string_view name) {
  bool known = name == "--out";
  for (NumberOption const& option : number_options) known = known || name == option.name;
  return known;
}

/// The options that the command line gives; ends the program after `--help` and for wrong ones.
inline Options parse_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    std::string_view const name = arguments[i];
    if (name == "--help" || name == "-h") {
      std::fputs(help, stdout);
      std::exit(0);
    }
    if (!is_option(name)) refuse("'" + std::string(name) + "'", "an option such as --steps");
    set_option(options, name, i + 1 < count ? arguments[i + 1] : nullptr);
  }
  return options;
}

}  // namespace gpt
