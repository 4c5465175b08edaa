#pragma once

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>

namespace tenon {

/// What becomes of an op for which a device has no kernel: the host computes it, which is told once
/// for each op, or is not told; or it is refused.
enum class Fallback { told, silent, refused };

/// The rule of the program, for all threads. Values do not depend on it.
inline std::atomic<Fallback>& fallback_rule() {
  static std::atomic<Fallback> rule{Fallback::told};
  return rule;
}

/// Says what becomes of ops that a device has no kernel for; returns what was said before. With
/// `Fallback::refused` they throw `DeviceError`. PyTorch: `PYTORCH_ENABLE_MPS_FALLBACK`.
inline Fallback set_fallback(Fallback rule) { return fallback_rule().exchange(rule); }

/// Is it the first time that an op of a device is computed by the host?
[[gnu::cold]] inline bool is_first_fallback(std::string const& what) {
  static std::mutex mutex;
  static std::set<std::string>& known = *new std::set<std::string>;
  std::lock_guard const lock(mutex);
  return known.insert(what).second;
}

/// Called before the host computes an op for a device.
[[gnu::cold, gnu::noinline]] inline void note_fallback(std::string_view device,
                                                       std::string_view op) {
  Fallback const rule = fallback_rule();
  if (rule == Fallback::refused)
    fail<DeviceError>({.who = device, .what = op, .expected = "a kernel", .got = "none"});
  std::string const what =
      "tenon: " + std::string(device) + ": " + std::string(op) + " runs on the cpu\n";
  if (rule == Fallback::told && is_first_fallback(what)) std::fputs(what.c_str(), stderr);
}

}  // namespace tenon
