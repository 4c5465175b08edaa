// Any text as a configuration in TOML: a configuration, or a ConfigError of one line.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "config.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  fuzz::Config config;
  try {
    config = tenon::training::config_from_toml<fuzz::Config>(text, "fuzz");
  } catch (tenon::training::ConfigError const& error) {
    fuzz::check_message(error.what());
    return 0;
  }
  fuzz::check_round_trip(config);
  return 0;
}
