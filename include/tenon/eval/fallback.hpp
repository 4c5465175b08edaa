#pragma once

#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>

namespace tenon {

/// What happens to an op for which a device has no kernel: the host computes it, with a notice on
/// the first use of each op or silently; or the op throws.
enum class Fallback { warn, silent, refused };

}  // namespace tenon

namespace tenon::internal {

/// Sets what happens to ops for which a device has no kernel; returns the previous setting. With
/// `Fallback::refused` they throw `DeviceError`. PyTorch: `PYTORCH_ENABLE_MPS_FALLBACK`.
Fallback set_fallback(Fallback rule);

/// Called before the host computes an op for a device.
void note_fallback(std::string_view device, std::string_view op);

}  // namespace tenon::internal

namespace tenon {

using internal::set_fallback;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <cstdio>
#include <mutex>

#include <tenon/core/mutex.hpp>

namespace tenon::internal {

/// The setting of the program, for all threads. Values do not depend on it.
TENON_RUNTIME Atomic<Fallback>& fallback_rule() {
  static Atomic<Fallback> rule{Fallback::warn};
  return rule;
}

TENON_RUNTIME Fallback set_fallback(Fallback rule) { return fallback_rule().exchange(rule); }

/// Whether this is the first time that the host computes an op of a device, by the line of the
/// notice.
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

#endif
