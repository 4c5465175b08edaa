#pragma once

// The settings of a run. They are stored in its checkpoint.

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpt {

inline constexpr std::int64_t unsaid = -1;

struct Settings {
  std::int64_t steps = unsaid;
  std::int64_t batch = unsaid;
  std::int64_t seed = unsaid;
  std::int64_t length = unsaid;  // the maximal number of tokens in the context
};

struct SettingOption {
  std::string_view name;
  std::int64_t Settings::*value;
  std::int64_t least;
  std::int64_t most;
};

inline constexpr std::array<SettingOption, 4> setting_options{{
    {"--steps", &Settings::steps, 1, 1'000'000},
    {"--batch", &Settings::batch, 1, 65'536},
    {"--seed", &Settings::seed, 0, 1'000'000'000},
    {"--length", &Settings::length, 8, 4096},
}};

/// The given settings, with defaults for the missing ones.
inline Settings completed(Settings said, Settings const& usual) {
  for (SettingOption const& option : setting_options) {
    auto& value = said.*option.value;
    if (value == unsaid) value = usual.*option.value;
  }
  return said;
}

}  // namespace gpt
