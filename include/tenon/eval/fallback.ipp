#pragma once

#include <cstdio>
#include <mutex>
#include <set>

#include <tenon/core/config.hpp>
#include <tenon/eval/fallback.hpp>

namespace tenon::internal {

TENON_RUNTIME std::atomic<Fallback>& fallback_rule() {
  static std::atomic<Fallback> rule{Fallback::warn};
  return rule;
}

[[gnu::cold]] TENON_RUNTIME bool is_first_fallback(std::string const& what) {
  static std::mutex mutex;
  static std::set<std::string>& known = *new std::set<std::string>;
  std::lock_guard const lock(mutex);
  return known.insert(what).second;
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME void note_fallback(std::string_view device,
                                                              std::string_view op) {
  Fallback const rule = fallback_rule();
  if (rule == Fallback::refused)
    fail<DeviceError>({.who = device, .what = op, .expected = "a kernel", .got = "none"});
  std::string const what =
      "tenon: " + std::string(device) + ": " + std::string(op) + " runs on the cpu\n";
  if (rule == Fallback::warn && is_first_fallback(what)) std::fputs(what.c_str(), stderr);
}

}  // namespace tenon::internal
