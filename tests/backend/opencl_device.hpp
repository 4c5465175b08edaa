#pragma once

// The OpenCL device that tests run on.

#include <doctest/doctest.h>

#include <tenon/backend/opencl.hpp>

/// True if there is a device; otherwise a test prints that it is skipped and returns.
inline bool has_device() {
  if (tenon::OpenCl::is_available()) return true;
  MESSAGE("skipped: there is no OpenCL device");
  return false;
}
