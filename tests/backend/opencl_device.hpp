#pragma once

// The device of OpenCL that tests run on.

#include <doctest/doctest.h>

#include <tenon/backend/opencl.hpp>

/// Is there one? Where there is none, a test says so and is over.
inline bool has_device() {
  if (tenon::OpenCl::is_available()) return true;
  MESSAGE("skipped: there is no device of OpenCL");
  return false;
}
