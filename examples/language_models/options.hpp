#pragma once

// The options of the command line.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sampling.hpp"

namespace language_models {

struct Options {
  std::string folder;  // none: a small random model
  std::string prompt = "Hello";
  std::vector<std::int32_t> ids;  // tokens instead of a prompt
  std::int64_t tokens = 40;
  Sampling sampling;
  std::uint64_t seed = 1;
  std::string scores;  // a file for the scores of the tokens; then nothing is generated
  bool prints_ids = false;
};

inline constexpr char const* help =
    "usage: program [FOLDER] [options]\n"
    "\n"
    "Continues a text by a language model. FOLDER has config.json, tokenizer.json and\n"
    "model.safetensors (or model.safetensors.index.json and its files); without it a small random\n"
    "model is written and read.\n"
    "\n"
    "  --prompt TEXT      the beginning of the text (Hello)\n"
    "  --tokens N         how many tokens to add (40)\n"
    "  --temperature X    0: always the most likely token; 1: the learned probabilities (0)\n"
    "  --top-k N          of the N most likely tokens only (0: of all)\n"
    "  --top-p X          of the fewest tokens of probability X only (1)\n"
    "  --seed N           seed of the random numbers (1); the same seed gives the same text\n"
    "  --ids 1,2,3        tokens instead of a prompt; the added ones are printed as numbers\n"
    "  --scores FILE      write the scores of the given tokens instead, as safetensors\n"
    "  --help             this text\n";

[[noreturn]] inline void refuse(std::string_view option, std::string const& expected) {
  throw std::runtime_error(std::string(option) + ": expected " + expected);
}

template <class Number>
Number read_number(std::string_view option, std::string const& text, Number least, Number most) {
  std::istringstream stream(text);
  Number number{};
  bool const is_whole = stream >> std::noskipws >> number && stream.peek() == EOF;
  if (is_whole && number >= least && number <= most) return number;
  std::ostringstream expected;
  expected << "a number from " << least << " to " << most << ", got '" << text << "'";
  refuse(option, expected.str());
}

inline std::vector<std::int32_t> read_ids(std::string_view option, std::string const& text) {
  std::vector<std::int32_t> ids;
  std::istringstream stream(text);
  for (std::string id; std::getline(stream, id, ',');)
    ids.push_back(read_number<std::int32_t>(option, id, 0, std::numeric_limits<int>::max()));
  if (ids.empty()) refuse(option, "numbers");
  return ids;
}

inline void set_option(Options& options, std::string_view name, std::string const& value) {
  if (name == "--prompt") options.prompt = value;
  else if (name == "--tokens")
    options.tokens = read_number<std::int64_t>(name, value, 1, 1'000'000);
  else if (name == "--temperature")
    options.sampling.temperature = read_number(name, value, 0.0, 100.0);
  else if (name == "--top-k")
    options.sampling.top_k = read_number<std::int64_t>(name, value, 0, 1'000'000);
  else if (name == "--top-p") options.sampling.top_p = read_number(name, value, 1e-6, 1.0);
  else if (name == "--seed")
    options.seed = read_number<std::uint64_t>(name, value, 0, std::uint64_t{1} << 62);
  else if (name == "--ids") options.ids = read_ids(name, value), options.prints_ids = true;
  else if (name == "--scores") options.scores = value;
  else refuse(name, "an option, see --help");
}

inline Options parse_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string_view const name = arguments[i];
    if (name == "--help") std::fputs(help, stdout), std::exit(0);
    if (!name.starts_with("--")) {
      options.folder = name;
      continue;
    }
    if (i + 1 == count) refuse(name, "a value after it");
    set_option(options, name, arguments[++i]);
  }
  return options;
}

}  // namespace language_models
