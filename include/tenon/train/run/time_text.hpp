#pragma once

#include <array>
#include <chrono>
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

}  // namespace tenon::internal::training
