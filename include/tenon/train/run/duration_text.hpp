#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace tenon::internal::training {

/// "42 s", "3 min 05 s", "2 h 07 min".
inline std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "long";  // (also NaN)
  auto const whole = static_cast<long long>(seconds < 0 ? 0 : seconds + 0.5);
  std::array<char, 48> text{};
  if (whole < 60) {
    std::snprintf(text.data(), text.size(), "%lld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text.data(), text.size(), "%lld min %02lld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text.data(), text.size(), "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
  }
  return text.data();
}

}  // namespace tenon::internal::training
