#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

namespace tenon::internal::training {

using Time = std::chrono::system_clock::time_point;

/// A time of the local clock, in a format of `strftime`.
inline std::string time_text(Time time, char const* format) {
  std::time_t const seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
#if defined(_WIN32)
  localtime_s(&parts, &seconds);
#else
  localtime_r(&seconds, &parts);
#endif
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

/// Seconds since 1970.
inline double unix_seconds(Time time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

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
