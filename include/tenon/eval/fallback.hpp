#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>

namespace tenon {

/// What becomes of an op for which a device has no kernel: the host computes it, which is told once
/// for each op, or is not told; or it is refused.
enum class Fallback { told, silent, refused };

/// The rule of the program, for all threads. Values do not depend on it.
std::atomic<Fallback>& fallback_rule();

/// Says what becomes of ops that a device has no kernel for; returns what was said before. With
/// `Fallback::refused` they throw `DeviceError`. PyTorch: `PYTORCH_ENABLE_MPS_FALLBACK`.
inline Fallback set_fallback(Fallback rule) { return fallback_rule().exchange(rule); }

/// Is it the first time that an op of a device is computed by the host?
bool is_first_fallback(std::string const& what);

/// Called before the host computes an op for a device.
void note_fallback(std::string_view device, std::string_view op);

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/fallback.ipp>
#endif
