#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/config.hpp>

/// A configuration, and inputs that are none.
namespace hostile_config {

enum class Kind { one, two };

struct Inner {
  double rate = 0.5;
  std::vector<int> sizes{1};

  static constexpr auto describe() {
    return tenon::training::fields(tenon::training::field<&Inner::rate>("").range(0, 1));
  }
};

struct Config {
  int seed = 1;
  std::uint64_t big = 1;
  std::string name = "x";
  bool flag = false;
  Kind kind = Kind::one;
  Inner inner{};
  std::optional<float> limit{};
  std::filesystem::path folder{};
};

/// `line` is 0 where no line is expected.
struct Input {
  std::string text;
  int line;
  std::string words;
};

inline std::string repeated(std::string const& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// The input ends in an exception whose message is one line that names the file and the line.
template <class Read>
void check(Input const& input, std::string const& file, Read const& read) {
  std::string message = "nothing";
  try {
    (void)read(input.text);
  } catch (tenon::training::ConfigError const& error) {
    message = error.what();
  }
  std::string const where = file + (input.line > 0 ? ":" + std::to_string(input.line) : "");
  CAPTURE(input.text.substr(0, 100));
  CAPTURE(message);
  CHECK(message.find_first_of("\n\r") == message.npos);
  CHECK(message.size() < 400);
  CHECK(message.ends_with("(" + where + ")"));
  CHECK(message.find(input.words) != message.npos);
}

}  // namespace hostile_config
