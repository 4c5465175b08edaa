// Any bytes as a document of TOML or, after a zero, as the lines of a command line: an error, or a
// configuration that is the same after it is written and read again.

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "config.hpp"

namespace {

using namespace tenon::training;

/// No files of this machine.
std::vector<std::string> arguments_of(std::string const& text) {
  std::vector<std::string> arguments;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.find("config") == line.npos) arguments.push_back(line);
  return arguments;
}

fuzzed::Config read(std::string const& bytes) {
  if (!bytes.starts_with('\0')) return config_from_toml<fuzzed::Config>(bytes, "x");
  return parse_config<fuzzed::Config>(arguments_of(bytes.substr(1)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  std::string const input(reinterpret_cast<char const*>(data), bytes);
  fuzzed::check_round_trip(
      fuzzed::result_of([&] { return read(input); }), to_toml<fuzzed::Config>,
      [](std::string const& text) { return config_from_toml<fuzzed::Config>(text, "x"); });
  return 0;
}
