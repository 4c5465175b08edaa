#pragma once

#include <string>
#include <string_view>

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

/// Whether this is the first time that the host computes an op of a device, by the line of the
/// notice.
bool is_first_fallback(std::string const& line);

/// Called before the host computes an op for a device.
void note_fallback(std::string_view device, std::string_view op);

}  // namespace tenon::internal

namespace tenon {

using internal::set_fallback;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/fallback.ipp>
#endif
