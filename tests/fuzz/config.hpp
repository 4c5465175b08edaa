#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/train/config.hpp>

/// A configuration with fields of all forms, for any bytes.
namespace fuzzed {

enum class Kind { one, two };

struct Inner {
  double rate = 0.5;
  std::vector<int> sizes{1};
  std::optional<bool> flag{};

  static constexpr auto describe() {
    using namespace tenon::training;
    return fields(field<&Inner::rate>("a rate").range(0, 1).short_name("r"));
  }
};

struct Config {
  int seed = 1;
  std::uint64_t big = 1;
  float single = 0.1f;
  std::string name = "x";
  Kind kind = Kind::one;
  Inner inner{};
  std::vector<Inner> list{};
  std::optional<std::string> text{};
};

/// The configuration that `read` returns, or none: an error is one line.
template <class Read>
std::optional<Config> result_of(Read const& read) {
  try {
    return read();
  } catch (tenon::training::ConfigError const& error) {
    std::string_view const message = error.what();
    if (message.find_first_of("\r\n") != message.npos || message.size() > 1000) std::abort();
    return {};
  }
}

/// A configuration that was read is written and read again, which changes nothing.
template <class Write, class Read>
void check_round_trip(std::optional<Config> const& config, Write const& write, Read const& read) {
  if (!config) return;
  std::string const text = write(*config);
  if (write(read(text)) != text) std::abort();
}

}  // namespace fuzzed
