#pragma once

// Deprecated path: use <tenon/backend/codegen/print/device_source.hpp>.

#include <tenon/backend/codegen/print/device_source.hpp>
