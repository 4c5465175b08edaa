#pragma once

#include <tenon/backend/devices.hpp>
#include <tenon/core/error.hpp>

#include "config.hpp"

namespace gpt {

using namespace tenon;

/// Those whose headers are included before.
using Devices = IncludedDevices<>;

/// Throws `ConfigError` for a name that no device here has.
inline DeviceChoice<Devices> device_of(Config const& config) try {
  return config.device.empty() ? default_device<Devices>() : device_named<Devices>(config.device);
} catch (DeviceError const& error) {
  throw training::ConfigError(error.what());
}

}  // namespace gpt
