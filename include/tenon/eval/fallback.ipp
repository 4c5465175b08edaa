#pragma once

#include <cstdio>
#include <mutex>
#include <string>

#include <tenon/core/atomic.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/fallback.hpp>

namespace tenon::internal {

/// The setting of the program, for all threads. Values do not depend on it.
TENON_RUNTIME Atomic<Fallback>& fallback_rule() {
  static Atomic<Fallback> rule{Fallback::warn};
  return rule;
}

TENON_RUNTIME Fallback set_fallback(Fallback rule) { return fallback_rule().exchange(rule); }

[[gnu::cold]] TENON_RUNTIME bool is_first_fallback(std::string const& line) {
  static std::mutex mutex;
  static std::string& known = *new std::string;
  std::lock_guard const lock(mutex);
  if (known.find(line) != std::string::npos) return false;
  known += line;
  return true;
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME void note_fallback(std::string_view device,
                                                              std::string_view op) {
  Fallback const rule = fallback_rule().load();
  if (rule == Fallback::refused)
    fail<DeviceError>({.who = device, .what = op, .expected = "a kernel", .got = "none"});
  std::string const what =
      "tenon: " + std::string(device) + ": " + std::string(op) + " runs on the cpu\n";
  if (rule == Fallback::warn && is_first_fallback(what)) std::fputs(what.c_str(), stderr);
}

}  // namespace tenon::internal
