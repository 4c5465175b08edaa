#pragma once

// Deprecated path: use <tenon/backend/codegen/backend.hpp>.

#include <tenon/backend/codegen/backend.hpp>
